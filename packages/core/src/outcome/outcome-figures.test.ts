import { expect, it } from 'vitest';
import { figuresOf } from './outcome-figures.ts';
import { addTallies, NO_OUTCOMES, type OutcomeTally, toPicoUsd } from './outcome-tally.ts';

const NO_TIMES = { median: null, p90: null };
const figures = (counts: Partial<OutcomeTally>) => figuresOf({ ...NO_OUTCOMES, ...counts }, NO_TIMES);

it('are zero and null of no pull requests', () => {
  const { close_reasons, ...others } = figures({});
  expect(new Set(Object.values(others))).toEqual(new Set([0, null]));
  expect(new Set(Object.values(close_reasons))).toEqual(new Set([0]));
});

it('say how many are still open, and the times that were found', () => {
  const tally = { ...NO_OUTCOMES, opened: 6, merged: 2, closed: 1 };
  expect(figuresOf(tally, { median: 5, p90: 9 })).toMatchObject({
    still_open: 3,
    time_to_merge_median: 5,
    time_to_merge_p90: 9,
  });
});

it('say what people did as shares and means of four digits', () => {
  expect(figures({ opened: 4, merged: 3, mergedUntouched: 2, reviewRounds: 1 })).toMatchObject({
    merged_untouched: 0.6667,
    review_rounds: 0.25,
  });
  expect(figures({ planned: 3, atFirstSight: 2 })).toMatchObject({ approved_at_first_sight: 0.6667 });
});

it('count a cancelled build neither as green nor as red', () => {
  expect(figures({ firstBuilds: { success: 2, failure: 1, cancelled: 1 } })).toMatchObject({
    first_build_cancelled: 1,
    first_build_green: 0.6667,
  });
});

it('charge the merged ones with what the others cost, and leave out what is not known', () => {
  expect(figures({ opened: 3, cost: toPicoUsd(0.3), priced: 2, pricedMerged: 1 })).toMatchObject({
    cost_usd: 0.3,
    cost_unknown: 1,
    cost_per_merged_usd: 0.3,
  });
  expect(figures({ opened: 1, cost: toPicoUsd(1), priced: 1 })).toMatchObject({
    cost_usd: 1,
    cost_per_merged_usd: null,
  });
});

it('are those of all where two counts are added up, without floating-point error', () => {
  const one = { ...NO_OUTCOMES, opened: 1, cost: toPicoUsd(0.1), priced: 1, firstOpenedAt: new Date(2) };
  const other = { ...NO_OUTCOMES, opened: 2, cost: toPicoUsd(0.2), priced: 1, firstOpenedAt: new Date(1) };
  const both = { opened: 3, cost: toPicoUsd(0.3), priced: 2, firstOpenedAt: new Date(1) };
  expect(addTallies(one, other)).toMatchObject(both);
  expect(addTallies(addTallies(NO_OUTCOMES, other), one)).toMatchObject(both);
});

it('tell a large cost to the last digit, of however many pull requests', () => {
  let tally = NO_OUTCOMES;
  for (let times = 0; times < 3_000; times += 1)
    tally = addTallies(tally, { ...NO_OUTCOMES, cost: toPicoUsd(2.673741) });
  expect(figuresOf(tally, NO_TIMES).cost_usd).toBe(8_021.223);
});
