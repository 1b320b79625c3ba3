import { expect, it } from 'vitest';
import { bootstrapInterval } from './bootstrap-interval.ts';

const coins = (heads: number, of: number) => Array.from({ length: of }, (_, at) => (at < heads ? 1 : 0));

it('finds the interval of a share that the normal approximation gives', () => {
  const { mean, low, high } = bootstrapInterval(coins(60, 100));
  const halfWidth = 1.96 * Math.sqrt((0.6 * 0.4) / 100);
  expect(mean).toBe(0.6);
  expect(low).toBeCloseTo(0.6 - halfWidth, 1);
  expect(high).toBeCloseTo(0.6 + halfWidth, 1);
});

it('gives the same interval for the same seed, and hardly another one for another seed', () => {
  const values = coins(30, 80);
  expect(bootstrapInterval(values, 7)).toEqual(bootstrapInterval(values, 7));
  expect(bootstrapInterval(values, 8).low).toBeCloseTo(bootstrapInterval(values, 7).low, 1);
});

it('gives no width to values that are all equal, and refuses an empty sample', () => {
  expect(bootstrapInterval([2, 2, 2])).toEqual({ mean: 2, low: 2, high: 2 });
  expect(() => bootstrapInterval([])).toThrow('at least one');
});
