import { closeReasons } from '@sluice/core/code-host';
import type { OutcomeFigures } from '@sluice/core/outcome';
import type { History, Step } from './histories.ts';

/*
 * Counts the same figures from the scripts alone, with nothing of the fold: what a history ended as is read backwards from
 * its steps, quantiles are found by counting, and money is counted in cents.
 */

export function independentCount(histories: readonly History[]): OutcomeFigures {
  const opened = histories.length;
  let [merged, closed, reverted, untouched, cents, unknown, pricedMerged, rounds, people] = Array(9).fill(0);
  let [planned, firstSight] = [0, 0];
  const builds = { success: 0, failure: 0, cancelled: 0 };
  const reasons = Object.fromEntries(closeReasons.map((reason) => [reason, 0])) as OutcomeFigures['close_reasons'];
  const times: number[] = [];
  for (const history of histories) {
    const { steps } = history;
    const last = steps.findLast(({ kind }) => kind === 'merge' || kind === 'close' || kind === 'reopen');
    const commits = steps.reduce((total, step) => total + (step.kind === 'people' ? step.commits : 0), 0);
    const price = centsOf(history);
    people += commits;
    rounds += steps.filter(({ kind }) => kind === 'review').length;
    if (price === null) unknown += 1;
    else cents += price;
    if (history.planRevision !== null) planned += 1;
    if (history.planRevision === 1) firstSight += 1;
    const build = firstVerdict(steps);
    if (build !== null) builds[build] += 1;
    if (last?.kind === 'merge') {
      merged += 1;
      if (commits === 0) untouched += 1;
      if (price !== null) pricedMerged += 1;
      if (steps.some(({ kind }) => kind === 'revert')) reverted += 1;
      times.push(steps.slice(0, steps.indexOf(last) + 1).reduce((total, { after }) => total + after, 0));
    } else if (last?.kind === 'close') {
      closed += 1;
      const reason = steps.slice(steps.indexOf(last)).findLast((step) => step.kind === 'reason');
      if (reason !== undefined) reasons[reason.reason] += 1;
    }
  }
  const judged = builds.success + builds.failure;
  return {
    opened,
    merged,
    closed,
    still_open: opened - merged - closed,
    reverted,
    time_to_merge_median: reachedBy(times, 50),
    time_to_merge_p90: reachedBy(times, 90),
    people_commits: people,
    merged_untouched: perTenThousand(untouched, merged),
    review_rounds: perTenThousand(rounds, opened),
    first_build_success: builds.success,
    first_build_failure: builds.failure,
    first_build_cancelled: builds.cancelled,
    first_build_green: perTenThousand(builds.success, judged),
    cost_usd: cents / 100,
    cost_unknown: unknown,
    cost_per_merged_usd: pricedMerged === 0 ? null : Number((cents / 100 / pricedMerged).toFixed(12)),
    approved_at_first_sight: perTenThousand(firstSight, planned),
    close_reasons: reasons,
  };
}

/** The least time within which so many percent were merged. */
function reachedBy(times: readonly number[], percent: number): number | null {
  const enough = times.filter((time) => times.filter((other) => other <= time).length * 100 >= percent * times.length);
  return enough.length === 0 ? null : Math.min(...enough);
}

function perTenThousand(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part * 10_000) / whole) / 10_000;
}

function centsOf({ cost, steps }: History): number | null {
  const costs = [cost, ...steps.flatMap((step) => (step.kind === 'review' || step.kind === 'fix' ? [step.cost] : []))];
  return costs.includes(null) ? null : costs.reduce<number>((total, one) => total + Math.round((one ?? 0) * 100), 0);
}

function firstVerdict(steps: readonly Step[]) {
  for (const step of steps) if (step.kind === 'build' && step.isOurs && step.verdict !== null) return step.verdict;
  return null;
}

/** The models of a history by name, as its group is called. */
export function modelsOf({ models, steps }: History): string {
  const later = steps.flatMap((step) =>
    (step.kind === 'review' || step.kind === 'fix') && step.pushes ? [step.model] : [],
  );
  return Array.from(new Set([...models, ...later]))
    .sort()
    .join(', ');
}
