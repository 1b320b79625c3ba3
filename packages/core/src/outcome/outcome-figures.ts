import * as z from 'zod';
import { type CloseReason, closeReasons } from '../code-host/close-reason.ts';
import { exactUsd } from '../pipeline/usage.ts';
import { fromPicoUsd, type OutcomeTally } from './outcome-tally.ts';
import type { TimeQuantiles } from './time-quantiles.ts';

const count = z.int().min(0);
const share = z.number().min(0).max(1).nullable();
const seconds = z.int().min(0).nullable();

/**
 * The outcomes of a number of pull requests. Shares are from 0 to 1, times in seconds; null where there is nothing to
 * divide by.
 */
export const outcomeFiguresSchema = z.object({
  opened: count.describe('Pull requests that were opened.'),
  merged: count.describe('Pull requests that are merged.'),
  closed: count.describe('Pull requests that are closed without a merge.'),
  still_open: count.describe('Pull requests that are open, or drafts.'),
  reverted: count.describe('Merged pull requests that were reverted later.'),
  time_to_merge_median: seconds.describe('From the opening to the merge, in seconds: the median.'),
  time_to_merge_p90: seconds.describe('The same: nine of ten merged ones took no longer.'),
  people_commits: count.describe('Commits by people on top of ours.'),
  merged_untouched: share.describe('The share of the merged ones to which no person added a commit.'),
  review_rounds: z
    .number()
    .min(0)
    .nullable()
    .describe('Follow-ups that a comment or a review asked for: the mean of all.'),
  first_build_success: count.describe('Pull requests whose first build of our commit at the code host succeeded.'),
  first_build_failure: count.describe('Pull requests whose first build failed.'),
  first_build_cancelled: count.describe('Pull requests whose first build was cancelled.'),
  first_build_green: share.describe('The share of success among the first builds that succeeded or failed.'),
  cost_usd: z
    .number()
    .min(0)
    .describe('What all of them cost, with their follow-ups, in US dollars; as far as it is known.'),
  cost_unknown: count.describe('Pull requests whose cost is unknown, because a model has no known price.'),
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

/** The figures of pull requests that were counted. */
export function figuresOf(tally: OutcomeTally, times: TimeQuantiles): OutcomeFigures {
  const { opened, merged, closed, firstBuilds: builds, pricedMerged } = tally;
  const costUsd = fromPicoUsd(tally.cost);
  return {
    opened,
    merged,
    closed,
    still_open: opened - merged - closed,
    reverted: tally.reverted,
    time_to_merge_median: times.median,
    time_to_merge_p90: times.p90,
    people_commits: tally.peopleCommits,
    merged_untouched: ratio(tally.mergedUntouched, merged),
    review_rounds: ratio(tally.reviewRounds, opened),
    first_build_success: builds.success,
    first_build_failure: builds.failure,
    first_build_cancelled: builds.cancelled,
    first_build_green: ratio(builds.success, builds.success + builds.failure),
    cost_usd: costUsd,
    cost_unknown: opened - tally.priced,
    cost_per_merged_usd: pricedMerged === 0 ? null : exactUsd(costUsd / pricedMerged),
    approved_at_first_sight: ratio(tally.atFirstSight, tally.planned),
    close_reasons: { ...tally.closeReasons },
  };
}

const DIGITS = 4; // a hundredth of a percent: below it nothing is meant

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : Number((part / whole).toFixed(DIGITS));
}
