import type { ModelChoice } from '@sluice/agents';
import type { LanguageModelUsage } from 'ai';
import type { ModelAgentName } from '../run/run-bench.ts';

/** How much an agent asks of a model in one trial. Each request repeats the one before and adds to it. */
export interface AssumedWork {
  readonly requests: number;
  readonly firstTokens: number;
  readonly addedTokens: number;
  /** The tokens of each answer, thoughts included: they are billed as output. */
  readonly answerTokens: number;
}

/**
 * What the bare loop takes. *Little* is a small fix without a detour, as `bench:economy` measures it with a script: 6 or 7
 * requests and 25k to 41k tokens of input. *Much* is a fix that has to be looked for, by a model that thinks at each step:
 * fifty commands, a fifth of the loop's limit.
 */
export const bashWork = {
  little: { requests: 7, firstTokens: 1_800, addedTokens: 750, answerTokens: 300 },
  much: { requests: 50, firstTokens: 1_800, addedTokens: 1_000, answerTokens: 1_000 },
} as const satisfies Record<string, AssumedWork>;

/** What Sluice may take more than the loop: the two goals that a test of the economy holds. */
export const SLUICE_MORE = { requests: 3, tokens: 1.3 } as const;

/** What trials take together. */
export interface Expense {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Null when the price of the model is unknown. */
  readonly usd: number | null;
}

/** The expense of one trial of an agent. */
export function expenseOf(
  agent: ModelAgentName,
  work: AssumedWork,
  choice: Pick<ModelChoice, 'costUsd' | 'withCacheMarks'>,
): Expense {
  const more = agent === 'sluice' ? SLUICE_MORE : { requests: 0, tokens: 1 };
  const usages = Array.from({ length: work.requests }, (_, at) => usageOf(work, at, choice));
  const sum = (figure: (usage: LanguageModelUsage) => number | undefined) =>
    usages.reduce((total, usage) => total + (figure(usage) ?? 0), 0) * more.tokens;
  const costs = usages.map((usage) => choice.costUsd(usage));
  const known = costs.filter((cost) => cost !== null);
  return {
    requests: work.requests + more.requests,
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    usd: known.length < costs.length ? null : known.reduce((total, cost) => total + cost, 0) * more.tokens,
  };
}

/** The usage of a request whose beginning, the request before, is in the vendor's cache. */
function usageOf(
  { firstTokens, addedTokens, answerTokens }: AssumedWork,
  at: number,
  { withCacheMarks }: Pick<ModelChoice, 'withCacheMarks'>,
): LanguageModelUsage {
  const inputTokens = firstTokens + at * addedTokens;
  const cacheReadTokens = at === 0 ? 0 : inputTokens - addedTokens;
  const others = inputTokens - cacheReadTokens;
  // Where a cache wants marks, what is put into it has a price of its own.
  const cacheWriteTokens = withCacheMarks === undefined ? 0 : others;
  return {
    inputTokens,
    inputTokenDetails: { noCacheTokens: others - cacheWriteTokens, cacheReadTokens, cacheWriteTokens },
    outputTokens: answerTokens,
    outputTokenDetails: { textTokens: answerTokens, reasoningTokens: 0 },
    totalTokens: inputTokens + answerTokens,
  };
}
