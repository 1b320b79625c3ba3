/** What is known of a server that seems to cut requests without saying so. Sizes in tokens. */
export interface SilentCut {
  /** The estimated size of the last request; null before the first. */
  readonly lastEstimate: number | null;
  /** What the server counted of the requests that it seems to have cut. */
  readonly counts: readonly number[];
}

/** A request with its estimated size and what the server counted. */
interface CountedRequest {
  readonly estimated: number;
  readonly reported: number;
}

export const NO_CUT: SilentCut = { lastEstimate: null, counts: [] };

const CREDIBLE_SHARE = 0.5; // of the estimate: real counts of English and code come to seven tenths and more
const MIN_TOKENS = 1_000; // of a count: a server that reports less has not counted the request at all
const GROWTH_TOLERANCE = 0.35; // of an estimate
const SURE_COUNTS = 2; // one may be a slip
const SAME_SIZE = 0.5; // of a count: a server that drops whole messages keeps at least half of its window

/** Whether a server has counted the whole request. Some count nothing, some leave out what they had cached. */
export function isWholeCount({ estimated, reported }: CountedRequest): boolean {
  return reported >= estimated * CREDIBLE_SHARE;
}

/**
 * Notes a count. A server that cuts counts far less than it was sent, and about the same however much that grows. One that
 * leaves out what it had cached counts what was added, and is not suspected.
 */
export function withCount({ lastEstimate, counts }: SilentCut, counted: CountedRequest): SilentCut {
  const { estimated, reported } = counted;
  const grown = estimated - (lastEstimate ?? 0);
  const isGrowth = Math.abs(reported - grown) <= GROWTH_TOLERANCE * grown;
  if (isWholeCount(counted) && reported > Math.max(0, ...counts)) return { lastEstimate: estimated, counts: [] };
  const isCut = !isWholeCount(counted) && reported >= MIN_TOKENS && !isGrowth;
  if (!isCut) return { lastEstimate: estimated, counts: isGrowth ? [] : counts };
  const alike = counts.filter((count) => Math.min(count, reported) >= SAME_SIZE * Math.max(count, reported));
  return { lastEstimate: estimated, counts: [...alike, reported] };
}

/** The size at which the server seems to cut; null while it does not. */
export function cutAt({ counts }: SilentCut): number | null {
  return counts.length < SURE_COUNTS ? null : Math.max(...counts);
}
