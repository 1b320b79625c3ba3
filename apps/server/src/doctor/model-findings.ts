import { toAppError } from '@sluice/core/error';
import {
  isPriced,
  type ModelChoice,
  type ModelServer,
  modelChoices,
  modelServers,
  type ToolTrial,
  tryToolCall,
} from '../compose/open-models.ts';
import { type ModelSettings, modelStages } from '../config/model-settings.ts';
import { StartError } from '../process/start-error.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import { whyUnreachable } from './reach-address.ts';

const HOW_TO_PRICE = 'add it to a JSON file named by MODEL_SETTINGS (docs/models.md)';

/**
 * The models of each stage, the budget, whether prices are known, and what makes the models think. Missing keys are the
 * configuration's problem.
 */
export function modelFindings(settings: ModelSettings): Finding[] {
  const facts = [...priceFindings(settings), ...effortFindings(settings)];
  return [ok('models', renderModels(settings)), ...facts, ok('budget', renderBudget(settings))];
}

/** Groups stages with the same models. */
function renderModels({ byStage, embedding }: ModelSettings): string {
  const stagesByModels = Map.groupBy(modelStages, (stage) => inOrder(byStage[stage]));
  const parts = [...stagesByModels].map(([models, stages]) =>
    stages.length === modelStages.length ? models : `${stages.join(', ')}: ${models}`,
  );
  return [...parts, ...(embedding === null ? [] : [`semantic search: ${embedding}`])].join('; ');
}

function inOrder([first = '', ...fallbacks]: readonly string[]): string {
  if (first === 'builtin') return 'builtin (applies edits that an issue spells out; set MODEL to one that writes code)';
  return fallbacks.length === 0 ? first : `${first} (fallbacks: ${fallbacks.join(', ')})`;
}

function priceFindings(settings: ModelSettings): Finding[] {
  try {
    return hostedChoices(settings).map((choice) =>
      isPriced(choice) ? ok('price', `of ${choice.name}: known`) : unpriced(choice.name, settings),
    );
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return [problem('price', error.message, 'correct the file, or unset MODEL_SETTINGS')];
  }
}

/** What each model is sent in each stage so that it thinks, because thoughts cost money. */
function effortFindings(settings: ModelSettings): Finding[] {
  const names = usableChoices(settings).map(({ name }) => name);
  if (names.length === 0) return [];
  const choices = modelChoices(settings);
  return names.map((name) => {
    const sent = modelStages.flatMap((stage) => {
      const words = choices[stage].find((choice) => choice.name === name)?.thinking?.words;
      return words === undefined ? [] : [{ stage, words }];
    });
    const parts = [...Map.groupBy(sent, ({ words }) => words)].map(
      ([words, stages]) => `${stages.map(({ stage }) => stage).join(', ')}: ${words}`,
    );
    return ok('effort', `of ${name}: ${parts.join('; ')}`);
  });
}

/** Each configured model once. @throws StartError when the file of MODEL_SETTINGS is unusable */
function hostedChoices(settings: ModelSettings): ModelChoice[] {
  const choices = Object.values(modelChoices(settings)).flat();
  return [...new Map(choices.map((choice) => [choice.name, choice])).values()].filter(({ name }) => name !== 'builtin');
}

/** The same; none with an unusable file, which is reported with the prices. */
function usableChoices(settings: ModelSettings): ModelChoice[] {
  try {
    return hostedChoices(settings);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return [];
  }
}

/** The context windows, asked of the servers that tell theirs. A wrong one makes agents forget, so an assumed one is shown. */
export async function windowFindings(settings: ModelSettings): Promise<Finding[]> {
  return Promise.all(
    usableChoices(settings).map(async ({ name, contextTokens, askWindow }) => {
      const window = (await askWindow?.()) ?? null;
      const tokens = `${(window ?? contextTokens ?? 0).toLocaleString('en-US')} tokens`;
      if (window !== null) return ok('window', `of ${name}: ${tokens}, as its server says`);
      if (askWindow === undefined) return ok('window', `of ${name}: ${tokens}`);
      return warning(
        'window',
        `of ${name}: ${tokens} are assumed, because its server does not say`,
        'set context_tokens in the JSON file of MODEL_SETTINGS to the window that the server was started with (docs/local-model.md)',
      );
    }),
  );
}

/**
 * Whether each model calls a tool when it is told to, as agents need it. One request to each, of some two hundred tokens.
 *
 * @param isAsked otherwise nothing is sent, and the finding says how to ask
 */
export async function toolFindings(settings: ModelSettings, isAsked: boolean): Promise<Finding[]> {
  const choices = usableChoices(settings);
  if (choices.length === 0) return [];
  if (!isAsked)
    return [ok('tool calls', 'not tried; --try-models sends each model one small request, which costs tokens')];
  return Promise.all(choices.map(toolFinding));
}

async function toolFinding(choice: ModelChoice): Promise<Finding> {
  const began = performance.now();
  try {
    const trial = await tryToolCall(choice);
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    const how = renderTrial(trial);
    if (trial.isCalled) return ok('tool calls', `of ${choice.name}: it called the tool (${seconds} s, ${how})`);
    return problem(
      'tool calls',
      `of ${choice.name}: it did not call the tool that it was told to call (${how})`,
      'start its server with a parser for tool calls, or use a model that was trained on them (docs/local-model.md)',
    );
  } catch (error) {
    return problem(
      'tool calls',
      `of ${choice.name}: ${toAppError(error).message}`,
      'correct its key, name or address, or its entry in the file of MODEL_SETTINGS (docs/models.md)',
    );
  }
}

/** What came back, what was sent beside the conversation, and what the server refused. */
function renderTrial({ tokens, thoughtTokens, sent, refused }: ToolTrial): string {
  const thoughts = thoughtTokens ? `, ${thoughtTokens.toLocaleString('en-US')} of them thoughts` : '';
  const parts = [
    tokens === null ? 'its server reports no tokens' : `${tokens.toLocaleString('en-US')} tokens${thoughts}`,
    ...(sent.length > 0 ? [`sent: ${sent.join(', ')}`] : []),
    ...(refused.length > 0 ? [`refused by its server, so from now on: ${refused.join(', ')}`] : []),
  ];
  return parts.join('; ');
}

function unpriced(name: string, { budget }: ModelSettings): Finding {
  return budget.cost_usd === null
    ? warning('price', `of ${name}: unknown, so the cost of issues is not shown`, HOW_TO_PRICE)
    : problem(
        'price',
        `of ${name}: unknown, so ISSUE_BUDGET_USD cannot be enforced and the server does not start`,
        `${HOW_TO_PRICE}, or unset ISSUE_BUDGET_USD`,
      );
}

function renderBudget({ budget, budgetIsFixed }: ModelSettings): string {
  const { tokens, cost_usd, active_ms } = budget;
  const limits = [
    tokens === null ? [] : [`${tokens.toLocaleString('en-US')} tokens`],
    cost_usd === null ? [] : [`${cost_usd.toFixed(2)} USD`],
    active_ms === null ? [] : [`${Math.round(active_ms / 1_000).toLocaleString('en-US')} s of work`],
  ].flat();
  return `${limits.join(', ')} per issue${budgetIsFixed ? '' : '; a retry may raise it (ISSUE_BUDGET_FIXED=off)'}`;
}

/** Whether the servers of the configured models answer. Makes no request that costs money. */
export async function reachFindings(settings: ModelSettings): Promise<Finding[]> {
  return Promise.all(modelServers(settings).map(reachFinding));
}

async function reachFinding({ provider, address, hasKey }: ModelServer): Promise<Finding> {
  const subject = `${provider} models`;
  const key = hasKey ? 'asked without its key' : 'without a key';
  const why = await whyUnreachable(`${address}/models`);
  if (why === null) return ok(subject, `${address} answers (${key})`);
  return problem(
    subject,
    `${address} does not answer (${why})`,
    'check that it runs and that this machine can reach it, or correct its address',
  );
}
