import { describe, expect, it } from 'vitest';
import { callerOf } from '../access/caller.ts';
import type { UserId } from '../id/id.ts';
import type { GroupTally, OutcomeCounting, OutcomeGrouping, OutcomeQuery } from './outcome-store.ts';
import { NO_OUTCOMES } from './outcome-tally.ts';
import { type OutcomeQuestion, readOutcomes } from './read-outcomes.ts';

const DAY_MS = 86_400_000;
const NOW = new Date(Date.UTC(2026, 10, 27, 9, 15));

interface Opened {
  readonly at: number;
  readonly group?: string | null;
  readonly mergedAfter?: number;
}

/** A store of these pull requests, which notes what it is asked. */
function storeOf(all: readonly Opened[], onTally = () => {}) {
  const asked: OutcomeQuery[] = [];
  const atOnce = 500;
  const within = ({ from, to }: OutcomeQuery) => all.filter(({ at }) => at >= from.getTime() && at < to.getTime());
  const groupOf = (groupBy: OutcomeGrouping | null, { group = null }: Opened) => (groupBy === null ? null : group);
  return {
    asked,
    span: async (query: OutcomeQuery) => {
      const found = within(query)
        .map(({ at }) => at)
        .sort((one, other) => one - other);
      const [first, last] = [found[0], found.at(-1)];
      if (first === undefined || last === undefined) return null;
      return { first: new Date(first), last: new Date(last), opened: Math.min(found.length, 16 * atOnce), atOnce };
    },
    tally: async (query: OutcomeQuery, { groupBy, isDivisible }: OutcomeCounting) => {
      asked.push(query);
      onTally();
      const found = within(query);
      if (isDivisible && found.length > atOnce) return null;
      const groups = Map.groupBy(found, (one) => groupOf(groupBy, one));
      return [...groups].map(([group, some]): GroupTally => {
        const firstOpenedAt = new Date(Math.min(...some.map(({ at }) => at)));
        const mergeTimes = some.flatMap(({ mergedAfter }) => mergedAfter ?? []);
        const tally = { ...NO_OUTCOMES, opened: some.length, firstOpenedAt };
        return { group, repoName: `name of ${group}`, tally, mergeTimes };
      });
    },
  };
}

const question: OutcomeQuestion = {
  ...{ caller: callerOf('u' as UserId), repoId: null, groupBy: null },
  ...{ from: new Date(0), to: null, signal: new AbortController().signal },
};
const clock = { now: () => NOW };
const ago = (days: number) => NOW.getTime() - days * DAY_MS;

describe('a question about outcomes', () => {
  it('without a period is about the last 90 days, and the answer says so', async () => {
    const outcomes = storeOf([{ at: ago(91) }, { at: ago(89) }, { at: ago(0) }]);
    const answer = await readOutcomes({ outcomes, clock }, { ...question, from: null });
    expect(answer.total.opened).toBe(2);
    expect(answer.period).toEqual({ from: new Date(ago(90)), to: null });
  });

  it.each([
    [{ from: new Date(0), to: null }, 3],
    [{ from: null, to: new Date(ago(1)) }, 2],
    [{ from: new Date(ago(100)), to: new Date(ago(0)) }, 1],
  ])('with a period is about that one: %j', async (period, opened) => {
    const outcomes = storeOf([{ at: ago(400) }, { at: ago(89) }, { at: ago(0) }]);
    const answer = await readOutcomes({ outcomes, clock }, { ...question, ...period });
    expect([answer.total.opened, answer.period]).toEqual([opened, period]);
  });

  it('is answered in groups, in the order in which they began', async () => {
    const outcomes = storeOf([
      { at: 3, group: 'p2' },
      { at: 1, group: 'p1', mergedAfter: 700_000 },
      { at: 2, group: 'p2', mergedAfter: 5_000 },
      { at: 4 },
    ]);
    const { total, groups } = await readOutcomes({ outcomes, clock }, { ...question, groupBy: 'prompt_revision' });
    const found = groups.map(({ name, figures }) => [name, figures.opened, figures.time_to_merge_median]);
    expect(found).toEqual([
      ['p1', 1, 700],
      ['p2', 2, 5],
      [null, 1, null],
    ]);
    expect(total).toMatchObject({ opened: 4, time_to_merge_median: 5, time_to_merge_p90: 700 });
    const byRepo = await readOutcomes({ outcomes, clock }, { ...question, groupBy: 'repo' });
    expect(byRepo.groups[0]).toMatchObject({ name: 'name of p1', repoId: 'p1' });
  });

  it('is answered in slices that the database counts at once, however unevenly they were opened', async () => {
    const all = [
      ...Array.from({ length: 5_000 }, (_, index) => ({ at: 1_000_000 + index, mergedAfter: 300_000 + index * 1_000 })),
      ...Array.from({ length: 50 }, (_, index) => ({ at: ago(index), mergedAfter: 1 })),
    ];
    const outcomes = storeOf(all);
    const { total } = await readOutcomes({ outcomes, clock }, question);
    expect(total).toMatchObject({ opened: 5_050, time_to_merge_median: 2_774, time_to_merge_p90: 4_794 });
    expect(outcomes.asked.length).toBeLessThan(100);
  });

  it('counts a second time where more were merged than it keeps the times of, and finds the same', async () => {
    const all = Array.from({ length: 60_000 }, (_, index) => ({
      at: index * 1_000,
      mergedAfter: 300_000 + index * 1_000,
    }));
    const [few, many] = [storeOf(all.slice(0, 50_000)), storeOf(all)];
    const ofFew = await readOutcomes({ outcomes: few, clock }, question);
    const ofMany = await readOutcomes({ outcomes: many, clock }, question);
    const timesOf = ({ total }: typeof ofFew) => [total.time_to_merge_median, total.time_to_merge_p90];
    expect(timesOf(ofFew)).toEqual([25_299, 45_299]);
    expect(timesOf(ofMany)).toEqual([30_299, 54_299]);
    const repeated = ({ asked }: typeof few) =>
      asked.length - new Set(asked.map((query) => JSON.stringify(query))).size;
    expect(repeated(few)).toBe(0);
    expect(repeated(many)).toBeGreaterThan(60_000 / 500 - 1);
  });

  it('counts also those of which too many for a slice were opened in one millisecond', async () => {
    const all = [...Array.from({ length: 1_200 }, () => ({ at: 5 })), { at: 4 }, { at: 6 }];
    const { total } = await readOutcomes({ outcomes: storeOf(all), clock }, question);
    expect(total.opened).toBe(1_202);
  });

  it('whose asker goes away is read no further', async () => {
    const gone = new AbortController();
    const all = Array.from({ length: 5_000 }, (_, index) => ({ at: index }));
    const outcomes = storeOf(all, () => gone.abort(new Error('gone')));
    await expect(readOutcomes({ outcomes, clock }, { ...question, signal: gone.signal })).rejects.toThrow('gone');
    expect(outcomes.asked).toHaveLength(1);
  });
});
