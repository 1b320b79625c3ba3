import type { Caller } from '../access/caller.ts';
import type { Clock } from '../async/clock.ts';
import type { RepoId } from '../id/id.ts';
import { countedAgain, countedSlices } from './counted-slices.ts';
import { figuresOf, type OutcomeFigures } from './outcome-figures.ts';
import { type OutcomePeriod, outcomePeriod } from './outcome-period.ts';
import type { GroupTally, OutcomeGrouping, OutcomeQuery, OutcomeStore } from './outcome-store.ts';
import { addTallies, NO_OUTCOMES, type OutcomeTally } from './outcome-tally.ts';
import { type QuantileSearch, searchQuantiles } from './time-quantiles.ts';

export interface OutcomeQuestion extends OutcomePeriod {
  readonly caller: Caller;
  /** Only of this repository, which the caller must be allowed to read. */
  readonly repoId: RepoId | null;
  readonly groupBy: OutcomeGrouping | null;
  /** Ends the work; its reason is thrown. */
  readonly signal: AbortSignal;
}

interface OutcomeGroup {
  /** The name of the repository, the models or the revision; null where it is not known. */
  readonly name: string | null;
  /** Set in a group by repository. */
  readonly repoId: RepoId | null;
  readonly figures: OutcomeFigures;
}

export interface Outcomes {
  /** The period that was asked for, or the usual one. */
  readonly period: OutcomePeriod;
  readonly total: OutcomeFigures;
  /** In the order of their first pull requests; empty when nothing is grouped. */
  readonly groups: readonly OutcomeGroup[];
}

const EVER = new Date(0);
const NEVER = new Date(8_640_000_000_000); // the year 2243: beyond it Postgres and SQLite no longer agree

/** So many times of merges are kept for the second count, some 400 KiB. With more, all slices are counted again. */
const MAX_TIMES_KEPT = 50_000;

/** The counts of some pull requests so far. */
interface Count {
  readonly name: string | null;
  tally: OutcomeTally;
  readonly times: QuantileSearch;
}

/** The outcomes of the pull requests in the caller's repositories, without those of deleted issues and repositories. */
export async function readOutcomes(
  { outcomes, clock }: { readonly outcomes: Pick<OutcomeStore, 'span' | 'tally'>; readonly clock: Clock },
  { caller, repoId, groupBy, signal, ...requested }: OutcomeQuestion,
): Promise<Outcomes> {
  const period = outcomePeriod(requested, clock.now());
  const query = { caller, repoId, from: period.from ?? EVER, to: period.to ?? NEVER };
  const total = newCount(null);
  const groups = new Map<string | null, Count>();
  const slices: OutcomeQuery[] = [];
  let kept: GroupTally[] = [];
  let room = MAX_TIMES_KEPT;
  const countTimes = ({ group, mergeTimes }: GroupTally, take: (times: QuantileSearch, ms: number) => void) => {
    for (const count of [total, groups.get(group)]) {
      if (count !== undefined) for (const ms of mergeTimes) take(count.times, ms);
    }
  };
  for await (const { query: slice, groups: counted } of countedSlices(outcomes, query, { groupBy, signal })) {
    slices.push(slice);
    for (const one of counted) {
      const { group, repoName, tally, mergeTimes } = one;
      total.tally = addTallies(total.tally, tally);
      if (groupBy !== null) {
        const count = groups.get(group) ?? newCount(groupBy === 'repo' ? repoName : group);
        groups.set(group, { ...count, tally: addTallies(count.tally, tally) });
      }
      countTimes(one, (times, ms) => times.count(ms));
      room -= mergeTimes.length;
      if (room >= 0) kept.push(one);
      else kept = [];
    }
  }
  const isNarrowed = [total, ...groups.values()].map(({ times }) => times.narrow());
  if (isNarrowed.includes(true)) {
    const again = room >= 0 ? kept : countedAgain(outcomes, slices, { groupBy, signal });
    for await (const one of again) countTimes(one, (times, ms) => times.countAgain(ms));
  }
  return {
    period,
    total: figuresOfCount(total),
    groups: [...groups]
      .sort(([, one], [, other]) => firstOf(one) - firstOf(other))
      .map(([group, count]) => ({
        name: count.name,
        repoId: groupBy === 'repo' ? (group as RepoId) : null,
        figures: figuresOfCount(count),
      })),
  };
}

function newCount(name: string | null): Count {
  return { name, tally: NO_OUTCOMES, times: searchQuantiles() };
}

function figuresOfCount({ tally, times }: Count): OutcomeFigures {
  return figuresOf(tally, times.found());
}

function firstOf({ tally }: Count): number {
  return tally.firstOpenedAt?.getTime() ?? 0;
}
