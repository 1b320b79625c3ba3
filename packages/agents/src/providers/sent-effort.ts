import { findProvider } from '@pydantic/genai-prices';
import { effortFamily } from './effort-families.ts';
import {
  BUDGET,
  BUDGETS,
  type EffortFamily,
  type EffortStage,
  LEVEL,
  type SentMembers,
  type SentValue,
} from './effort-family.ts';
import { type Effort, efforts, type Level, nearestLevel } from './effort-level.ts';
import { baseUrlOf, type ModelAccess } from './model-access.ts';
import type { HostedName } from './model-name.ts';
import type { RequestSettings } from './model-settings-file.ts';

/** What a model is sent so that it thinks, in each request of a stage. */
export interface SentEffort {
  /** For people, as the end of a sentence that begins with "is sent". */
  readonly words: string;
  /** Options of the SDK's package; for a compatible server, members of the body. */
  readonly options: SentMembers;
  /** The operator's word for a family that is not in the table: the SDK makes the provider's parameter of it. */
  readonly reasoning?: Effort;
  /** The model is asked to think. */
  readonly isOn: boolean;
  /** The thoughts do not come back in full. */
  readonly isHidden: boolean;
  /** The budget of the thoughts, where it is on top of the longest answer. */
  readonly budgetTokens?: number;
  /** The longest answer of the family, thoughts included; null where that is unknown. */
  readonly maxOutputTokens: number | null;
}

interface Asked {
  readonly settings: RequestSettings;
  /** Without one, nothing is sent by default. */
  readonly stage: EffortStage | undefined;
  /** The word of `MODEL_EFFORT` for the stage. */
  readonly effort: Effort | undefined;
  readonly contextTokens: number;
}

/** The members of a body by which vendors let a model think. In `extra_body`, they take the place of a default. */
const THINKING_MEMBERS = [
  'thinking',
  'output_config',
  'reasoning',
  'reasoning_effort',
  'chat_template_kwargs',
  'enable_thinking',
  'thinking_budget',
  'generationConfig',
  'additionalModelRequestFields',
  'google',
  'extra_body',
];

/** A default budget leaves the window to the question: above this share of it, it is cut. */
const WINDOW_SHARE = 1 / 8;
/** The rest of the longest answer stays for the answer itself. */
const ANSWER_SHARE = 1 / 2;

/**
 * What is sent to a model so that it thinks. The operator's settings of the model go first, then `MODEL_EFFORT`, then the
 * default of its family for the stage. A word that the family does not have becomes its nearest level. A family that is not
 * in the table is sent nothing but what the settings of this model say.
 */
export function sentEffort(name: HostedName, access: ModelAccess, asked: Asked): SentEffort {
  const { settings } = asked;
  const server = effortServer(name, access);
  const family = effortFamily(server, name.model);
  const rest = { isHidden: family?.hidesThoughts ?? false, maxOutputTokens: family?.maxOutputTokens ?? null };
  const nothing = (words: string): SentEffort => ({ ...rest, words, options: {}, isOn: false });
  const byHand = THINKING_MEMBERS.filter((member) => settings.extra_body?.[member] !== undefined);
  const isSet = settings.reasoning_effort !== undefined || settings.thinking_tokens !== undefined;
  if (byHand.length > 0 && !isSet) return nothing(`${byHand.join(' and ')} of extra_body`);
  if (settings.thinking_tokens !== undefined && (family === null || family.takesBudget))
    return { ...rest, ...onBudget(family, settings.thinking_tokens) };
  if (family === null) return { ...rest, ...asGiven(settings.reasoning_effort) };
  const wanted = wantedEffort(family, asked);
  if (wanted === null) return nothing('nothing: without a stage there is no default');
  if (wanted === 'temperature') return nothing('no effort, because MODEL_SETTINGS sets a temperature');
  if (wanted === 'none' && family.off !== null)
    return { ...rest, words: `no thinking (${family.family})`, options: family.off, isOn: false };
  return { ...rest, ...atLevel(family, nearestLevel(wanted, family.levels), { ...asked, server }) };
}

function wantedEffort(family: EffortFamily, { settings, stage, effort }: Asked): Effort | 'temperature' | null {
  const { reasoning_effort, thinking_tokens, temperature } = settings;
  if (reasoning_effort !== undefined) return reasoning_effort;
  if (thinking_tokens !== undefined) return levelOfBudget(thinking_tokens);
  if (temperature !== undefined && family.temperatureOrThoughts) return 'temperature';
  return effort ?? (stage === undefined ? null : family.stages[stage]);
}

/** The level whose budget is nearest. */
function levelOfBudget(tokens: number): Level {
  const levels = efforts.filter((level) => level !== 'none');
  const distance = (level: Level) => Math.abs(BUDGETS[level] - tokens);
  return levels.reduce((best, level) => (distance(level) < distance(best) ? level : best));
}

function atLevel(
  family: EffortFamily,
  level: Level,
  { settings, contextTokens, server }: Asked & { readonly server: string },
): Omit<SentEffort, 'isHidden' | 'maxOutputTokens'> {
  const hasBudget = JSON.stringify(family.on).includes(BUDGET);
  if (hasBudget) return onBudget(family, defaultBudget(family, level, contextTokens));
  const options = filled(family.on, { [LEVEL]: level }) as SentMembers;
  const isSwitch = !JSON.stringify(family.on).includes(LEVEL);
  const { reasoning_effort } = settings;
  return {
    words: `${isSwitch ? 'thinking on' : `effort ${level}`} (${family.family})`,
    // What people set for a server of their own reaches it as they wrote it, beside the switch of the model's template.
    options:
      isSwitch && server === 'own' && reasoning_effort !== undefined ? { ...options, reasoning_effort } : options,
    isOn: true,
  };
}

function defaultBudget(family: EffortFamily, level: Level, contextTokens: number): number {
  const { maxOutputTokens, maxBudgetTokens = Number.POSITIVE_INFINITY } = family;
  const answer = ANSWER_SHARE * (maxOutputTokens ?? contextTokens);
  const most = Math.min(WINDOW_SHARE * contextTokens, answer, maxBudgetTokens);
  return Math.max(BUDGETS.minimal, Math.min(BUDGETS[level], Math.floor(most)));
}

function onBudget(family: EffortFamily | null, tokens: number): Omit<SentEffort, 'isHidden' | 'maxOutputTokens'> {
  const isOfFamily = family !== null && JSON.stringify(family.on).includes(BUDGET);
  const on = isOfFamily ? family.on : { thinking: { type: 'enabled', budgetTokens: BUDGET } };
  const of = family === null ? '' : ` (${family.family})`;
  return {
    words: `a budget of ${tokens.toLocaleString('en-US')} tokens for thoughts${of}`,
    options: filled(on, { [BUDGET]: tokens }) as SentMembers,
    isOn: true,
    ...(!family?.budgetIsInAnswer && { budgetTokens: tokens }),
  };
}

function asGiven(effort: Effort | undefined): Pick<SentEffort, 'words' | 'options' | 'isOn' | 'reasoning'> {
  if (effort === undefined) return { words: 'nothing: its family is not in the table', options: {}, isOn: false };
  return { words: `effort ${effort}, as MODEL_SETTINGS says`, options: {}, isOn: effort !== 'none', reasoning: effort };
}

function filled(value: SentValue, values: Readonly<Record<string, SentValue>>): SentValue {
  if (typeof value === 'string') return values[value] ?? value;
  if (Array.isArray(value)) return value.map((one) => filled(one, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one, values)]));
}

const OLLAMA_PORT = '11434';
const DASHSCOPE = /\/\/dashscope(?:-\w+)?\.aliyuncs\.com/; // of Alibaba, which is not in the list
const OLLAMA = /[/.]ollama(?:[/.:]|$)/; // in the host's name, or behind a proxy in the path

/**
 * The server that a model is asked of, as the table of efforts names it: a package by the prefix of its models' names, such
 * as `google/`; behind OpenAI's chat completions, a vendor or gateway by its address, `ollama`, or `own` for any other. The
 * slash keeps the options of a package out of the body of another server.
 */
function effortServer({ provider }: HostedName, access: ModelAccess): string {
  if (provider !== 'compatible') return `${provider}/`;
  const address = baseUrlOf(provider, access) ?? '';
  const known = findProvider({ providerApiUrl: address })?.id;
  if (known !== undefined) return known;
  if (!URL.canParse(address)) return 'own';
  if (DASHSCOPE.test(address)) return 'dashscope';
  return new URL(address).port === OLLAMA_PORT || OLLAMA.test(address) ? 'ollama' : 'own';
}
