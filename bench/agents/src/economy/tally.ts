import { promptText, sharedPrefix } from './prompt-text.ts';
import { type MeasuredRequest, tokensIn } from './scripted-endpoint.ts';

/** The use of a model in a run. Tokens are characters divided by four. */
export interface Tally {
  readonly requests: number;
  readonly inputTokens: number;
  /** The share of the input that begins an earlier request of the run too, 0 to 1. */
  readonly cacheableShare: number;
  /** The input at the prices of a cache: what begins an earlier request counts for a tenth. */
  readonly weightedTokens: number;
  readonly outputTokens: number;
}

const CACHED_WEIGHT = 0.1; // Anthropic's and OpenAI's price of a cached token, as a part of an uncached one's

/** The sum of measured requests. */
export function tallyOf(requests: readonly MeasuredRequest[]): Tally {
  const sum = (figure: (request: MeasuredRequest) => number) =>
    requests.reduce((total, request) => total + figure(request), 0);
  const input = sum(({ inputTokens }) => inputTokens);
  const cacheable = sum(({ cacheableTokens }) => cacheableTokens);
  return {
    requests: requests.length,
    inputTokens: input,
    cacheableShare: input === 0 ? 0 : cacheable / input,
    weightedTokens: Math.round(input - cacheable * (1 - CACHED_WEIGHT)),
    outputTokens: sum(({ outputTokens }) => outputTokens),
  };
}

/** The requests of a run as a vendor's cache sees them that holds those of an earlier run too, about another issue. */
export function afterOther(
  requests: readonly MeasuredRequest[],
  earlier: readonly MeasuredRequest[],
): readonly MeasuredRequest[] {
  const prompts = earlier.map(({ body }) => promptText(body));
  return requests.map((request) => {
    const prompt = promptText(request.body);
    const held = tokensIn(Math.max(0, ...prompts.map((other) => sharedPrefix(other, prompt))));
    return { ...request, cacheableTokens: Math.max(request.cacheableTokens, held) };
  });
}

/** The tallies of a run's conversations, which begin with different instructions, in the order in which they began. */
export function tallyByConversation(requests: readonly MeasuredRequest[]): ReadonlyMap<string, Tally> {
  const groups = Map.groupBy(requests, ({ conversation }) => conversation);
  return new Map([...groups].map(([name, group]) => [name, tallyOf(group)]));
}
