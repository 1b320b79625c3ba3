/** The parts of all times within which a quantile asks: half of them, and nine of ten. */
export interface TimeQuantiles {
  readonly median: number | null;
  readonly p90: number | null;
}

const PARTS = { median: 0.5, p90: 0.9 } as const;

/** Times below it are counted by the second; above it steps are at most a 128th part of the time. */
const EXACT_SECONDS = 256;

/** A quantile that lies among the times of one step. */
interface Sought {
  readonly step: number;
  /** The rank among the times of the step, beginning with 1. */
  readonly rank: number;
  readonly bySecond: Map<number, number>;
}

/**
 * Finds quantiles of any number of times in little memory: all times are counted twice. The first count is by steps; the
 * second one tells the seconds of the two steps in which the quantiles lie. The quantile is by nearest rank: a time that was
 * taken, not one between two; in whole seconds.
 */
export interface QuantileSearch {
  /** The first count. */
  count(ms: number): void;
  /** Ends the first count. @returns whether the second one is needed */
  narrow(): boolean;
  /** The second count, of the same times. */
  countAgain(ms: number): void;
  found(): TimeQuantiles;
}

export function searchQuantiles(): QuantileSearch {
  const bySteps = new Map<number, number>();
  let sought: Record<keyof TimeQuantiles, Sought | null> = { median: null, p90: null };
  return {
    count: (ms) => addTo(bySteps, stepOf(secondOf(ms))),
    narrow: () => {
      const total = bySteps.values().reduce((sum, count) => sum + count, 0);
      const steps = [...bySteps].sort(([one], [other]) => one - other);
      sought = { median: placeOf(steps, rankOf(total, PARTS.median)), p90: placeOf(steps, rankOf(total, PARTS.p90)) };
      return Object.values(sought).some((one) => one !== null && one.step >= EXACT_SECONDS);
    },
    countAgain: (ms) => {
      const second = secondOf(ms);
      const step = stepOf(second);
      for (const one of Object.values(sought)) if (one?.step === step) addTo(one.bySecond, second);
    },
    found: () => ({ median: secondAt(sought.median), p90: secondAt(sought.p90) }),
  };
}

function secondOf(ms: number): number {
  return Math.round(Math.max(0, ms) / 1_000); // the clock of the code host may be a little behind ours
}

/** The first second of the step to which a second belongs. */
function stepOf(second: number): number {
  if (second < EXACT_SECONDS) return second;
  const width = 2 ** (Math.floor(Math.log2(second)) - Math.log2(EXACT_SECONDS) + 1);
  return second - (second % width);
}

function addTo(counts: Map<number, number>, key: number): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function rankOf(total: number, part: number): number {
  return Math.max(1, Math.ceil(total * part));
}

function placeOf(steps: readonly (readonly [step: number, count: number])[], rank: number): Sought | null {
  let before = 0;
  for (const [step, count] of steps) {
    if (before + count >= rank) return { step, rank: rank - before, bySecond: new Map() };
    before += count;
  }
  return null;
}

/**
 * The time at a rank. A row that changed between the two counts moves the rank; a step that was emptied meanwhile
 * answers with its beginning.
 */
function secondAt(sought: Sought | null): number | null {
  if (sought === null) return null;
  let last = sought.step;
  let before = 0;
  for (const [second, count] of [...sought.bySecond].sort(([one], [other]) => one - other)) {
    last = second;
    before += count;
    if (before >= sought.rank) break;
  }
  return last;
}
