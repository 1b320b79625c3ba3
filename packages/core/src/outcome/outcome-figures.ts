import * as z from 'zod';
import { type CloseReason, closeReasons } from '../code-host/close-reason.ts';
import { exactUsd } from '../pipeline/usage.ts';
import { type BuildEnd, buildEnds } from './change-request-record.ts';
import type { OutcomeRow } from './outcome-store.ts';

const count = z.int().min(0);
const share = z.number().min(0).max(1).nullable();
const seconds = z.int().min(0).nullable();

/** What became of a number of pull requests. Shares are from 0 to 1, times in seconds; null where there is nothing to divide by. */
export const outcomeFiguresSchema = z.object({
  opened: count.describe('Pull requests that were opened.'),
  merged: count.describe('Those that are merged.'),
  closed: count.describe('Those that are closed without a merge.'),
  still_open: count.describe('Those that are open, or drafts.'),
  reverted: count.describe('Of the merged ones those that were reverted later.'),
  time_to_merge_median: seconds.describe('From the opening to the merge, in seconds: the median.'),
  time_to_merge_p90: seconds.describe('The same: nine of ten merged ones took no longer.'),
  people_commits: count.describe('Commits by people on top of ours.'),
  merged_untouched: share.describe('The share of the merged ones to which no person added a commit.'),
  review_rounds: z
    .number()
    .min(0)
    .nullable()
    .describe('Follow-ups that a comment or a review asked for: the mean of all.'),
  first_build_success: count.describe('The first build of our commit at the code host succeeded.'),
  first_build_failure: count.describe('It failed.'),
  first_build_cancelled: count.describe('It was cancelled.'),
  first_build_green: share.describe('The share of success among the first builds that succeeded or failed.'),
  cost_usd: z
    .number()
    .min(0)
    .describe('What all of them cost, with their follow-ups, in US dollars; as far as it is known.'),
  cost_unknown: count.describe('Those whose cost is unknown, because a model has no known price.'),
  cost_per_merged_usd: z
    .number()
    .min(0)
    .nullable()
    .describe('The cost of all of them for each merged one; without those whose cost is unknown.'),
  approved_at_first_sight: share.describe('The share whose first plan was approved as it was.'),
  close_reasons: z
    .object(Object.fromEntries(closeReasons.map((reason) => [reason, count])) as Record<CloseReason, typeof count>)
    .describe('The reasons that people gave for a close.'),
});
export type OutcomeFigures = z.infer<typeof outcomeFiguresSchema>;

/** Counts what became of these pull requests. */
export function outcomesOf(rows: readonly OutcomeRow[]): OutcomeFigures {
  const merged = rows.filter(({ state }) => state === 'merged');
  const closed = rows.filter(({ state }) => state === 'closed');
  const times = merged.flatMap(timeToMerge).sort((one, other) => one - other);
  const builds = tally(
    buildEnds,
    rows.map(({ firstBuild }) => firstBuild),
  );
  const priced = rows.filter(({ costUsd }) => costUsd !== null);
  // Rounded at each step: over a thousand of them the floating-point error would show.
  const cost = priced.reduce((total, { costUsd }) => exactUsd(total + (costUsd ?? 0)), 0);
  const pricedMerged = priced.filter(({ state }) => state === 'merged').length;
  const planned = rows.filter(({ atFirstSight }) => atFirstSight !== null);
  return {
    opened: rows.length,
    merged: merged.length,
    closed: closed.length,
    still_open: rows.length - merged.length - closed.length,
    reverted: merged.filter(({ revertedAt }) => revertedAt !== null).length,
    time_to_merge_median: quantile(times, 0.5),
    time_to_merge_p90: quantile(times, 0.9),
    people_commits: sum(rows.map(({ peopleCommits }) => peopleCommits)),
    merged_untouched: ratio(merged.filter(({ peopleCommits }) => peopleCommits === 0).length, merged.length),
    review_rounds: ratio(sum(rows.map(({ reviewRounds }) => reviewRounds)), rows.length),
    first_build_success: builds.success,
    first_build_failure: builds.failure,
    first_build_cancelled: builds.cancelled,
    first_build_green: ratio(builds.success, builds.success + builds.failure),
    cost_usd: cost,
    cost_unknown: rows.length - priced.length,
    cost_per_merged_usd: pricedMerged === 0 ? null : exactUsd(cost / pricedMerged),
    approved_at_first_sight: ratio(planned.filter(({ atFirstSight }) => atFirstSight === true).length, planned.length),
    close_reasons: tally(
      closeReasons,
      closed.map(({ closeAnswer }) => closeAnswer?.reason ?? null),
    ),
  };
}

function timeToMerge({ openedAt, mergedAt }: OutcomeRow): number[] {
  // The clock of the code host may be a little behind ours.
  return mergedAt === null ? [] : [Math.max(0, mergedAt.getTime() - openedAt.getTime()) / 1_000];
}

/** By nearest rank: a time that was taken, not one between two. In whole seconds. */
function quantile(sorted: readonly number[], part: number): number | null {
  const found = sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)];
  return found === undefined ? null : Math.round(found);
}

const DIGITS = 4; // a hundredth of a percent: below it nothing is meant

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : Number((part / whole).toFixed(DIGITS));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function tally<Name extends BuildEnd | CloseReason>(
  names: readonly Name[],
  found: readonly (Name | null)[],
): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, found.filter((one) => one === name).length])) as Record<
    Name,
    number
  >;
}
