/** What is known of a server that seems to cut requests without saying so. Sizes in tokens. */
export interface SilentCut {
  /** The estimated size of the last request; null before the first. */
  readonly lastEstimate: number | null;
  /** The requests that it seems to have cut. */
  readonly suspects: readonly CountedRequest[];
  /** One of them was larger than another, and the server counted no more. */
  readonly isSure: boolean;
}

/** A request with its estimated size and what the server counted. */
interface CountedRequest {
  readonly estimated: number;
  readonly reported: number;
}

export const NO_CUT: SilentCut = { lastEstimate: null, suspects: [], isSure: false };

const CREDIBLE_SHARE = 0.5; // of the estimate: real counts of English and code come to seven tenths and more
const MIN_TOKENS = 1_000; // of a count: a server that reports less has not counted the request at all
const GROWTH_TOLERANCE = 0.35; // of an estimate
const MIN_GROWTH = 300; // of an estimate: less tells nothing of how a server counts
const COUNTED_GROWTH = 0.2; // of that: the densest text in the best tokenizer still counts as more
const SAME_SIZE = 0.5; // of a count: a server that drops whole messages keeps at least half of its window

/** Whether a server has counted the whole request. Some count nothing, some leave out what they had cached. */
export function isWholeCount({ estimated, reported }: CountedRequest): boolean {
  return reported >= estimated * CREDIBLE_SHARE;
}

/**
 * Notes a count. A server that cuts counts far less than it was sent, and about the same however much that grows. One that
 * leaves out what it had cached counts what was added, and one whose tokens are large (of Russian or Hindi, say) counts in
 * proportion: both are not suspected.
 */
export function withCount(before: SilentCut, counted: CountedRequest): SilentCut {
  const { suspects } = before;
  const { estimated, reported } = counted;
  const none = { ...NO_CUT, lastEstimate: estimated };
  const grown = estimated - (before.lastEstimate ?? 0);
  const isGrowth = Math.abs(reported - grown) <= GROWTH_TOLERANCE * grown;
  const isWhole = isWholeCount(counted);
  if (isGrowth || (isWhole && reported > largest(suspects))) return none;
  if (isWhole || reported < MIN_TOKENS) return { ...before, lastEstimate: estimated };
  const alike = suspects.filter(
    (one) => Math.min(one.reported, reported) >= SAME_SIZE * Math.max(one.reported, reported),
  );
  const smaller = alike.filter((one) => estimated - one.estimated >= MIN_GROWTH);
  const isInProportion = smaller.some((one) => reported - one.reported >= COUNTED_GROWTH * (estimated - one.estimated));
  if (isInProportion) return { ...none, suspects: [counted] };
  const isSure = alike.length > 0 && (before.isSure || smaller.length > 0);
  return { lastEstimate: estimated, suspects: [...alike, counted], isSure };
}

/** The size at which the server seems to cut; null while it does not. */
export function cutAt({ suspects, isSure }: SilentCut): number | null {
  return isSure ? largest(suspects) : null;
}

function largest(suspects: readonly CountedRequest[]): number {
  return Math.max(0, ...suspects.map(({ reported }) => reported));
}
