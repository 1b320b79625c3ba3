/** The facts about a server that seems to cut requests without saying so. */
export interface SilentCut {
  /** The last request; null before the first. */
  readonly last: CountedRequest | null;
  /** The request that was counted highest since the conversation was last shortened; null before the first. */
  readonly highest: CountedRequest | null;
  /** The last count stayed at the highest, although its request was larger. */
  readonly isLevel: boolean;
  /** The requests that it seems to have cut. */
  readonly suspects: readonly CountedRequest[];
  /** One of them was larger than another, and the server counted no more. */
  readonly isSure: boolean;
}

/** A request with its size in tokens. */
export interface CountedRequest {
  readonly estimated: number;
  /** The part of the estimate that the model has not written itself: some servers leave out its thoughts. */
  readonly given: number;
  /** What the server counted. */
  readonly reported: number;
}

export const NO_CUT: SilentCut = { last: null, highest: null, isLevel: false, suspects: [], isSure: false };

const CREDIBLE_SHARE = 0.5; // of the estimate: real counts of English and code come to seven tenths and more
const MIN_TOKENS = 1_000; // of a count: a server that reports less has not counted the request at all
const GROWTH_TOLERANCE = 0.35; // of an estimate
const CACHE_BLOCK = 2_048; // the largest in which a server caches what it then leaves out
const MIN_GROWTH = 300; // of an estimate: less tells nothing of how a server counts
const COUNTED_GROWTH = 0.2; // of that: the densest text in the best tokenizer still counts as more
const LEVEL_GROWTH = 0.1; // of that: half of it is sure to be no growth
const LEVEL_TOLERANCE = 0.02; // of a count
const SAME_SIZE = 0.5; // of a count: a server that drops whole messages keeps at least half of its window

/** Whether a server has counted the whole request. Some count nothing, some leave out what they had cached. */
export function isWholeCount({ estimated, reported }: CountedRequest): boolean {
  return reported >= estimated * CREDIBLE_SHARE;
}

/** Whether the last count is that of a request which the server seems to have cut. */
export function isCutCount({ last, isLevel, suspects, isSure }: SilentCut): boolean {
  const [most = null] = suspects.toSorted((a, b) => b.reported - a.reported);
  return isLevel || (isSure && last !== null && most !== null && isAsHigh(last, most));
}

/**
 * Notes a count. A server that cuts counts the same however much it is sent, or, where it drops whole messages, far less than
 * that. One that leaves out what it had cached counts what was added and at most a block of the cache, and one whose tokens
 * are large (of Russian or Hindi, say) counts in proportion: both are not suspected.
 */
export function withCount(before: SilentCut, counted: CountedRequest): SilentCut {
  const { last, highest, suspects } = before;
  const { estimated, given, reported } = counted;
  const grown = estimated - (last?.estimated ?? 0);
  const isGrowth = Math.abs(reported - grown) <= GROWTH_TOLERANCE * grown;
  const isCacheable = reported <= grown + CACHE_BLOCK;
  const isLevel =
    !isGrowth && highest !== null && last !== null && isAsHigh(last, highest) && isLevelWith(highest, counted);
  const isHighest = highest === null || reported > highest.reported;
  const now = { ...before, last: counted, highest: isHighest ? counted : highest, isLevel };
  // What was added may by chance be as long twice, but not three times.
  if (isLevel && (!isCacheable || before.isLevel)) return { ...now, suspects: [highest, counted], isSure: true };
  const isWhole = isWholeCount(counted);
  if (isGrowth || (isWhole && reported > (1 + LEVEL_TOLERANCE) * largest(suspects)))
    return { ...now, suspects: [], isSure: false };
  if (isWhole || reported < MIN_TOKENS) return now;
  const alike = suspects.filter(
    (one) => Math.min(one.reported, reported) >= SAME_SIZE * Math.max(one.reported, reported),
  );
  if (isCacheable) return { ...now, suspects: alike, isSure: before.isSure && alike.length > 0 };
  const smaller = alike.filter((one) => given - one.given >= MIN_GROWTH);
  const isInProportion = smaller.some((one) => reported - one.reported >= COUNTED_GROWTH * (given - one.given));
  if (isInProportion) return { ...now, suspects: [counted], isSure: false };
  const isSure = alike.length > 0 && (before.isSure || smaller.length > 0);
  return { ...now, suspects: [...alike, counted], isSure };
}

/** The same once the conversation was shortened: counts of other texts tell nothing of whether it is level. */
export function withoutHighest(before: SilentCut): SilentCut {
  return { ...before, highest: null, isLevel: false };
}

/** The size at which the server seems to cut; null while it does not. */
export function cutAt({ suspects, isSure }: SilentCut): number | null {
  return isSure ? largest(suspects) : null;
}

function isAsHigh({ reported }: CountedRequest, highest: CountedRequest): boolean {
  return reported >= (1 - LEVEL_TOLERANCE) * highest.reported;
}

/** Whether a request was counted as one before it, although more had been added. */
function isLevelWith(highest: CountedRequest, { given, reported }: CountedRequest): boolean {
  const grown = given - highest.given;
  const more = reported - highest.reported;
  const isSame = Math.abs(more) <= LEVEL_TOLERANCE * highest.reported && more < LEVEL_GROWTH * grown;
  return grown >= MIN_GROWTH && reported >= MIN_TOKENS && isSame;
}

function largest(suspects: readonly CountedRequest[]): number {
  return Math.max(0, ...suspects.map(({ reported }) => reported));
}
