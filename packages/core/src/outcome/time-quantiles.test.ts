import { expect, it } from 'vitest';
import { searchQuantiles } from './time-quantiles.ts';

function quantilesOf(times: readonly number[], again = times) {
  const search = searchQuantiles();
  for (const ms of times) search.count(ms);
  if (search.narrow()) for (const ms of again) search.countAgain(ms);
  return search.found();
}

/** By nearest rank, over all times in memory. */
function sortedQuantiles(times: readonly number[]) {
  const sorted = times.map((ms) => Math.max(0, ms) / 1_000).sort((one, other) => one - other);
  const at = (part: number) => {
    const found = sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)];
    return found === undefined ? null : Math.round(found);
  };
  return { median: at(0.5), p90: at(0.9) };
}

it('are times that were taken, none of none, and never below zero', () => {
  expect(quantilesOf([])).toEqual({ median: null, p90: null });
  expect(quantilesOf([10, 1, 4, 3, 2, 9, 8, 7, 6, 5].map((second) => second * 1_000))).toEqual({ median: 5, p90: 9 });
  expect(quantilesOf([-3_000])).toEqual({ median: 0, p90: 0 });
});

it.each([1, 2, 3, 10, 200, 5_000])('are those of a sort for %i times of all sizes', (count) => {
  for (const most of [100, 1_000, 600_000, 86_400_000, 30 * 86_400_000, 3_000 * 86_400_000]) {
    const times = Array.from({ length: count }, (_, index) =>
      Math.floor(((index * 7_919 + 13) % 9_973) * (most / 9_973)),
    );
    expect(quantilesOf(times)).toEqual(sortedQuantiles(times));
  }
});

it('need no second count where all are short', () => {
  const search = searchQuantiles();
  search.count(255_000);
  expect(search.narrow()).toBe(false);
  expect(search.found()).toEqual({ median: 255, p90: 255 });
});

it('stay within their step where times change between the two counts', () => {
  expect(quantilesOf([400_000, 400_000], [])).toEqual({ median: 400, p90: 400 });
  expect(quantilesOf([401_000, 401_000, 401_000], [401_000])).toEqual({ median: 401, p90: 401 });
});
