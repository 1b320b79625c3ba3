import type { LanguageModelUsage } from 'ai';

const MAX_TOKENS = 1_000_000_000; // a thousand times the largest window there is

/**
 * What a server counted, as far as it can be so. A count below nothing would lower what an issue has used, one of no
 * whole number cannot be written down, and an answer that is paid for must not be lost to either.
 */
export function credibleUsage(usage: LanguageModelUsage): LanguageModelUsage {
  const { inputTokenDetails: input, outputTokenDetails: output } = usage;
  return {
    ...usage,
    // No request is without words: a server that says so has not counted.
    inputTokens: credible(usage.inputTokens) || undefined,
    outputTokens: credible(usage.outputTokens),
    inputTokenDetails: {
      noCacheTokens: credible(input.noCacheTokens),
      cacheReadTokens: credible(input.cacheReadTokens),
      cacheWriteTokens: credible(input.cacheWriteTokens),
    },
    outputTokenDetails: {
      textTokens: credible(output.textTokens),
      reasoningTokens: credible(output.reasoningTokens),
    },
  };
}

function credible(tokens: number | undefined): number | undefined {
  return tokens !== undefined && tokens >= 0 && tokens <= MAX_TOKENS ? Math.ceil(tokens) : undefined;
}
