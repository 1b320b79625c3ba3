import {
  ANSWER_TIMEOUTS,
  baseUrlOf,
  createAgentRunner,
  createEmbedder,
  createModels,
  type ModelAccess,
  type ModelChoice,
  parseModelName,
  readModelTable,
  type ToolTrial,
  tryToolCall,
} from '@sluice/agents';
import type { AgentRole, AgentRunner } from '@sluice/core/agent';
import type { Clock } from '@sluice/core/async';
import type { Embedder } from '@sluice/core/code-search';
import { AppError } from '@sluice/core/error';
import type { Usage } from '@sluice/core/pipeline';
import { type ModelSettings, type ModelStage, providerList } from '../config/model-settings.ts';
import { observedEmbedder, observedModel } from '../observability/observed-ports.ts';
import type { Observer } from '../observability/observer.ts';
import { StartError } from '../process/start-error.ts';

export { type ModelChoice, type ToolTrial, tryToolCall };

/** The stage whose models a role uses. */
const stageOfRole: Readonly<Record<AgentRole, ModelStage>> = {
  triager: 'triage',
  planner: 'plan',
  coder: 'implement',
  reviewer: 'review',
};

/** The agents with their configured models, and the embedding model if there is one. Makes no calls. */
export interface OpenModels {
  readonly agents: AgentRunner;
  readonly embedder: Embedder | null;
}

/**
 * Opens the models of all stages.
 *
 * @throws StartError when the file of MODEL_SETTINGS is unusable, or a cost budget cannot be enforced
 */
export function openModels(
  settings: ModelSettings,
  { clock, observer }: { readonly clock: Clock; readonly observer: Observer },
): OpenModels {
  const { around } = observer;
  const choices = modelChoices(settings);
  requirePrices(settings, Object.values(choices).flat());
  return {
    agents: createAgentRunner({
      models: (role) =>
        choices[stageOfRole[role]].map((choice) => ({
          ...choice,
          model: observedModel(choice.model, { name: choice.name, around }),
        })),
      clock,
      plannerTriages: settings.plannerTriages,
      timeouts: timeoutsWithin(settings.timeoutMs),
    }),
    embedder: settings.embedding === null ? null : openEmbedder(settings, settings.embedding, observer),
  };
}

function openEmbedder(settings: ModelSettings, name: string, { around, textsEmbedded }: Observer): Embedder {
  const onAnswered = (usage: Usage) => textsEmbedded({ model: name, usage });
  return observedEmbedder(
    createEmbedder({ ...accessOf(settings), name, table: tableOf(settings), onAnswered }),
    around,
  );
}

/**
 * The models of each stage: the first choice, then its fallbacks.
 *
 * @throws StartError when the file of MODEL_SETTINGS is unusable
 */
export function modelChoices(settings: ModelSettings): Record<ModelStage, readonly ModelChoice[]> {
  const models = createModels({ ...accessOf(settings), table: tableOf(settings), effort: settings.effort });
  const choicesOf = (stage: ModelStage) => settings.byStage[stage].map((name) => models.choice(name, stage));
  return {
    triage: choicesOf('triage'),
    plan: choicesOf('plan'),
    implement: choicesOf('implement'),
    review: choicesOf('review'),
  };
}

/** Keys and base URLs of the providers. */
function accessOf(settings: ModelSettings): ModelAccess {
  const given = (part: 'apiKey' | 'baseUrl') =>
    Object.fromEntries(
      providerList.flatMap((provider) => {
        const value = settings[provider][part];
        return value === null ? [] : [[provider, value]];
      }),
    );
  return { keys: given('apiKey'), baseUrls: given('baseUrl') };
}

function tableOf({ settingsFile }: ModelSettings) {
  if (settingsFile === null) return {};
  try {
    return readModelTable(settingsFile);
  } catch (error) {
    throw error instanceof AppError ? new StartError(`MODEL_SETTINGS: ${error.message}`, { cause: error }) : error;
  }
}

const A_TURN = { input: 1_000, output: 1_000 };

/** Refuses a cost budget that cannot be measured, so that the operator does not learn it from the bill. */
function requirePrices({ budget }: ModelSettings, choices: readonly ModelChoice[]): void {
  if (budget.cost_usd === null) return;
  const unpriced = choices.find((choice) => !isPriced(choice));
  if (unpriced === undefined) return;
  throw new StartError(
    `ISSUE_BUDGET_USD: the price of ${unpriced.name} is unknown, so this budget cannot be enforced. Add its price in a file named by MODEL_SETTINGS, or unset ISSUE_BUDGET_USD.`,
  );
}

/** Whether the model's price is known. */
export function isPriced(choice: ModelChoice): boolean {
  return choice.costUsd(usageOf(A_TURN)) !== null;
}

function usageOf({ input, output }: { input: number; output: number }): Parameters<ModelChoice['costUsd']>[0] {
  return {
    inputTokens: input,
    inputTokenDetails: { noCacheTokens: input, cacheReadTokens: 0, cacheWriteTokens: 0 },
    outputTokens: output,
    outputTokenDetails: { textTokens: output, reasoningTokens: 0 },
    totalTokens: input + output,
  };
}

/** Caps each partial timeout at the total. */
function timeoutsWithin(totalMs: number): typeof ANSWER_TIMEOUTS {
  return {
    totalMs,
    firstChunkMs: Math.min(ANSWER_TIMEOUTS.firstChunkMs, totalMs),
    chunkMs: Math.min(ANSWER_TIMEOUTS.chunkMs, totalMs),
  };
}

/** An API server of configured models. */
export interface ModelServer {
  readonly provider: string;
  readonly address: string;
  readonly hasKey: boolean;
}

/** The API servers of all configured models, without duplicates. */
export function modelServers(settings: ModelSettings): readonly ModelServer[] {
  const names = [...Object.values(settings.byStage).flat(), settings.embedding ?? 'builtin'];
  const providers = new Set(names.map((name) => parseModelName(name)?.provider ?? 'builtin'));
  const hosted = [...providers].filter((provider) => provider !== 'builtin');
  return hosted.map((provider) => ({
    provider,
    address: baseUrlOf(provider, accessOf(settings)) ?? '',
    hasKey: settings[provider].apiKey !== null,
  }));
}
