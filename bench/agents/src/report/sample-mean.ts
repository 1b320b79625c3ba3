import { bootstrapInterval } from '@sluice/testing';

/** A mean over tasks or changes, with its 95 % interval; null where there are too few for one. */
export interface SampleMean {
  readonly mean: number;
  readonly interval: { readonly low: number; readonly high: number } | null;
}

/** With fewer, an interval would promise more than so few can show: three tasks that end alike would have none at all. */
export const MIN_SAMPLES = 10;

/**
 * The mean of shares, or of differences of shares. What is equal in each case has no width by drawing from it; then what
 * was never seen may still happen in up to 3 of so many cases (the rule of three, Hanley and Lippman-Hand 1983).
 *
 * @param values at least one
 * @param least the smallest that a value can be; the largest is 1
 */
export function sampleMean(values: readonly number[], least: 0 | -1): SampleMean {
  const { mean, low, high } = bootstrapInterval(values);
  if (values.length < MIN_SAMPLES) return { mean, interval: null };
  if (low < high) return { mean, interval: { low, high } };
  const reach = 3 / values.length;
  return { mean, interval: { low: Math.max(least, mean - reach), high: Math.min(1, mean + reach) } };
}

/** A share: `90.0 % (78.3 to 98.3)`, without the interval where there is none. */
export function renderMean(share: SampleMean): string {
  return rendered(share, '%');
}

/** A difference of shares: `20.0 points (5.0 to 35.0)`. In percent it would be taken for a part of the other share. */
export function renderPoints(difference: SampleMean): string {
  return rendered(difference, 'points');
}

function rendered({ mean, interval }: SampleMean, unit: string): string {
  const hundredths = (share: number) => (share * 100).toFixed(1);
  const range = interval === null ? '' : ` (${hundredths(interval.low)} to ${hundredths(interval.high)})`;
  return `${hundredths(mean)} ${unit}${range}`;
}
