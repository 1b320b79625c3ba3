import { describe, expect, it } from 'vitest';
import { type Caller, callerOf } from '../access/caller.ts';
import type { IssueId, RepoId, UserId } from '../id/id.ts';
import { NEW_PIPELINE } from '../pipeline/pipeline-state.ts';
import { openedRecord } from './opened-record.ts';
import { outcomesOf } from './outcome-figures.ts';
import type { OutcomeRow } from './outcome-store.ts';
import { readOutcomes } from './read-outcomes.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 9, 0, second));
const issue = { id: 'i' as IssueId, repoId: 'r1' as RepoId, pipeline: NEW_PIPELINE };
const row = (change: Partial<OutcomeRow> = {}): OutcomeRow => ({
  ...openedRecord(issue, { number: 1, state: 'open' }, at(0)),
  costUsd: 1,
  ...change,
});
const merged = (second: number, change: Partial<OutcomeRow> = {}) =>
  row({ state: 'merged', mergedAt: at(second), ...change });
const answer = (reason: 'other' | 'duplicate') => ({ reason, note: null, userId: 'u' as UserId, at: at(9) });

describe('the outcomes of pull requests', () => {
  it('are zero and null of none', () => {
    const { close_reasons, ...figures } = outcomesOf([]);
    expect(new Set(Object.values(figures))).toEqual(new Set([0, null]));
    expect(new Set(Object.values(close_reasons))).toEqual(new Set([0]));
  });

  it('count each in the state that it is in', () => {
    const rows = [
      row(),
      row({ state: 'draft' }),
      merged(5),
      merged(5, { revertedAt: at(9) }),
      row({ state: 'closed', closeAnswer: answer('duplicate') }),
      row({ state: 'closed' }),
    ];
    expect(outcomesOf(rows)).toMatchObject({ opened: 6, merged: 2, closed: 2, still_open: 2, reverted: 1 });
    expect(outcomesOf(rows).close_reasons).toMatchObject({ duplicate: 1, other: 0 });
  });

  it('tell the times to a merge that were taken, and none where it is not known', () => {
    const times = [10, 1, 4, 3, 2, 9, 8, 7, 6, 5].map((second) => merged(second));
    const unknown = merged(0, { mergedAt: null });
    expect(outcomesOf([...times, unknown])).toMatchObject({ time_to_merge_median: 5, time_to_merge_p90: 9 });
    expect(outcomesOf([unknown])).toMatchObject({ merged: 1, time_to_merge_median: null, time_to_merge_p90: null });
    expect(outcomesOf([merged(-3)])).toMatchObject({ time_to_merge_median: 0 });
  });

  it('tell what people did: commits, reviews and first approvals', () => {
    const rows = [
      merged(1, { atFirstSight: true }),
      merged(1, { peopleCommits: 3, reviewRounds: 1, atFirstSight: true }),
      merged(1, { atFirstSight: false }),
      row({ peopleCommits: 1 }),
    ];
    expect(outcomesOf(rows)).toMatchObject({
      people_commits: 4,
      merged_untouched: 0.6667,
      review_rounds: 0.25,
      approved_at_first_sight: 0.6667,
    });
  });

  it('count a cancelled build neither as green nor as red', () => {
    const rows = (['success', 'failure', 'success', 'cancelled', null] as const).map((firstBuild) =>
      row({ firstBuild }),
    );
    expect(outcomesOf(rows)).toMatchObject({
      first_build_success: 2,
      first_build_failure: 1,
      first_build_cancelled: 1,
      first_build_green: 0.6667,
    });
  });

  it('charge the merged ones with what the others cost, and leave out what is not known', () => {
    const rows = [merged(1, { costUsd: 0.1 }), merged(1, { costUsd: null }), row({ costUsd: 0.2 })];
    expect(outcomesOf(rows)).toMatchObject({ cost_usd: 0.3, cost_unknown: 1, cost_per_merged_usd: 0.3 });
    expect(outcomesOf([row()])).toMatchObject({ cost_usd: 1, cost_per_merged_usd: null });
  });
});

describe('a question about outcomes', () => {
  const rows = [
    row({ number: 1, openedAt: at(2), models: ['a model'], promptRevision: 'p2' }),
    row({ number: 2, openedAt: at(1), models: ['a model', 'b model'], promptRevision: 'p1' }),
    row({ number: 700, openedAt: at(3), promptRevision: 'p2' }),
  ];
  const repos = [
    { id: 'r1' as RepoId, name: 'one' },
    { id: 'r2' as RepoId, name: 'two' },
  ];
  const context = {
    repos: {
      list: async (_: Caller, { cursor }: { cursor: string | null }) =>
        cursor === null
          ? { items: repos.slice(0, 1) as never, nextCursor: 'next' }
          : { items: repos.slice(1) as never, nextCursor: null },
    },
    outcomes: {
      list: async ({ repoId, after, limit }: { repoId: RepoId; after: number; limit: number }) =>
        [...rows, ...Array.from({ length: 600 }, (_, index) => row({ number: index + 3, openedAt: at(9) }))]
          .sort((one, other) => one.number - other.number)
          .filter((one) => one.repoId === repoId && one.number > after)
          .slice(0, limit),
    },
  };
  const ask = { caller: callerOf('u' as UserId), repo: null, from: null, to: null };

  it('is answered over all pages and repositories, in one number where nothing is grouped', async () => {
    const { total, groups } = await readOutcomes(context, { ...ask, groupBy: null });
    expect([total.opened, groups]).toEqual([603, []]);
  });

  it.each([
    ['model', ['a model, b model', 'a model', null]],
    ['prompt_revision', ['p1', 'p2', null]],
    ['repo', ['one']],
  ] as const)('is answered by %s, in the order in which they began', async (groupBy, names) => {
    const { total, groups } = await readOutcomes(context, { ...ask, groupBy });
    expect(groups.map(({ name }) => name)).toEqual(names);
    expect(groups.reduce((all, { figures }) => all + figures.opened, 0)).toBe(total.opened);
    expect(groups[0]?.repoId).toBe(groupBy === 'repo' ? 'r1' : null);
  });

  it('may be about one repository', async () => {
    const { total } = await readOutcomes(context, { ...ask, repo: repos[1] ?? null, groupBy: null });
    expect(total.opened).toBe(0);
  });
});
