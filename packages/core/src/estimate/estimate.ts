import * as z from 'zod';
import { type PlanDraft, plannedFiles } from '../pipeline/plan.ts';
import { exactUsd } from '../pipeline/usage.ts';

const rangeSchema = z.object({
  point: z.number().describe('The value that is as likely to be exceeded as not.'),
  low: z.number(),
  high: z.number(),
});
/** A point and the interval around it that is to hold in 80 % of all cases. */
export type Range = z.infer<typeof rangeSchema>;

/** The cost and time of the rest of a run, estimated when its plan came to the gate. Stored under its wire names. */
export const estimateSchema = z.object({
  history: z.int().describe('The finished runs of this installation that were known then: the last 200 at most.'),
  cost_usd: rangeSchema
    .nullable()
    .describe('In US dollars; null with fewer than 20 finished runs whose cost is known.'),
  active_ms: rangeSchema
    .nullable()
    .describe('The time of work, in milliseconds; null with fewer than 20 finished runs.'),
  coverage: z
    .object({ held: z.int(), of: z.int() })
    .describe('How many of the ranges that were given for those runs held, of cost and of time. 80 % should.'),
});
export type Estimate = z.infer<typeof estimateSchema>;

export const estimateWire = estimateSchema.extend({
  summary: z.string().describe('The same as a sentence, or why there is no estimate yet.'),
});
export type EstimateWire = z.infer<typeof estimateWire>;

/** The cost and time that the rest of a run took: null where that is unknown, or does not count (see `actualOf`). */
export interface Actual {
  readonly costUsd: number | null;
  readonly activeMs: number | null;
}

/** A finished run: what was estimated for it, and what it took. */
export interface PastRun {
  readonly size: number;
  readonly estimate: Estimate;
  readonly actual: Actual;
}

/** How many finished runs an estimate rests on. With fewer than `MIN_RUNS` the ends of a range are those of two runs. */
export const MIN_RUNS = 20;
/** Older runs were those of other models, prices and habits. */
export const MAX_RUNS = 200;
/** One in so many actual values lies below a range, and as many above it: it holds in 80 % of all cases. */
const TAIL = 10;

/** The size of a plan, by which runs are compared: its steps and the files that it names. At least 1. */
export function planSize(plan: PlanDraft): number {
  return Math.max(1, plan.steps.length + plannedFiles(plan).length);
}

/**
 * Estimates what the rest of a run takes, from past runs of the same installation, `MAX_RUNS` at most.
 *
 * It is split conformal prediction (Vovk, Gammerman, Shafer: *Algorithmic Learning in a Random World*, 2005; Lei et al.:
 * *Distribution-Free Predictive Inference for Regression*, 2018) with the size of the plan as the model and the ratio of the
 * actual value to it as the score. An interval from the ⌊α/2·(n+1)⌋-th to the ⌈(1−α/2)·(n+1)⌉-th smallest of n scores holds
 * the next one with a probability of at least 1−α, whatever their distribution, if the runs are exchangeable. The orders of
 * ratios and of their logarithms are the same, so no logarithm is taken, and a run that cost nothing has its place too.
 */
export function estimateRest(size: number, past: readonly PastRun[]): Estimate {
  const ratios = (of: (actual: Actual) => number | null) =>
    past.flatMap(({ actual, size }) => {
      const value = of(actual);
      return value === null ? [] : [value / size];
    });
  const cost = rangeOf(ratios(({ costUsd }) => costUsd));
  const time = rangeOf(ratios(({ activeMs }) => activeMs));
  return {
    history: past.length,
    cost_usd: cost && {
      point: exactUsd(cost.point * size),
      low: exactUsd(cost.low * size),
      high: exactUsd(cost.high * size),
    },
    active_ms: time && {
      point: Math.round(time.point * size),
      low: Math.floor(time.low * size),
      high: Math.ceil(time.high * size),
    },
    coverage: coverageOf(past),
  };
}

function rangeOf(scores: readonly number[]): Range | null {
  const count = scores.length;
  if (count < MIN_RUNS) return null;
  const sorted = scores.toSorted((one, other) => one - other);
  const smallest = (rank: number) => sorted[rank - 1] ?? Number.NaN;
  const low = Math.floor((count + 1) / TAIL); // and the other end by symmetry, in whole numbers
  return { point: smallest(Math.ceil(count / 2)), low: smallest(low), high: smallest(count + 1 - low) };
}

/** How many of the ranges given for these runs held. A range counts by itself: a run has one of cost and one of time. */
function coverageOf(past: readonly PastRun[]): Estimate['coverage'] {
  const verdicts = past.flatMap(({ estimate, actual }) => [
    ...verdictOn(estimate.cost_usd, actual.costUsd),
    ...verdictOn(estimate.active_ms, actual.activeMs),
  ]);
  return { held: verdicts.filter((isHeld) => isHeld).length, of: verdicts.length };
}

function verdictOn(range: Range | null, actual: number | null): readonly boolean[] {
  return range === null || actual === null ? [] : [range.low <= actual && actual <= range.high];
}

/**
 * The part of an ended run that counts. A run with a result of the coder counts, however it ended: without those that
 * failed after it, or were cancelled at the end, estimates would be too low. A run that was cut off before gives only a
 * lower bound. That counts where it lies above the range already: the estimate did not hold.
 */
export function actualOf(spent: Actual, { hasResult, estimate }: { hasResult: boolean; estimate: Estimate }): Actual {
  const counted = (value: number | null, range: Range | null) =>
    value !== null && (hasResult || (range !== null && value > range.high)) ? value : null;
  return {
    costUsd: counted(spent.costUsd, estimate.cost_usd),
    activeMs: counted(spent.activeMs, estimate.active_ms),
  };
}

export function toEstimateWire(estimate: Estimate): EstimateWire {
  return { ...estimate, summary: renderEstimate(estimate) };
}

/** `Likely $0.42 (0.20–1.10) and 6 min (3–14), from 48 runs here; such ranges held 41 of 50 times.` */
function renderEstimate({ history, cost_usd: cost, active_ms: time, coverage: { held, of } }: Estimate): string {
  const parts = [...(cost === null ? [] : [renderUsd(cost)]), ...(time === null ? [] : [renderTime(time)])];
  if (parts.length === 0) return `No estimate yet: not enough history (${history} of ${MIN_RUNS} runs).`;
  const record = of === 0 ? 'no such range has been checked yet' : `such ranges held ${held} of ${of} times`;
  const missing = cost === null ? ' The cost is unknown: too few of these runs have a known price.' : '';
  return `Likely ${parts.join(' and ')}, from ${history} runs here; ${record}.${missing}`;
}

function renderUsd({ point, low, high }: Range): string {
  return `$${amount(point)} (${amount(low)}–${amount(high)})`;
}

function amount(usd: number): string {
  const digits = usd < 0.1 ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return usd.toLocaleString('en-US', digits);
}

const units = [
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
  { name: 's', ms: 1_000 },
] as const;

/** All three in the unit of the point. */
function renderTime({ point, low, high }: Range): string {
  const { name, ms } = units.find((unit) => point >= 2 * unit.ms) ?? units[2];
  const count = (value: number) =>
    (value / ms).toLocaleString('en-US', { maximumFractionDigits: value < 10 * ms ? 1 : 0 });
  return `${count(point)} ${name} (${count(low)}–${count(high)})`;
}
