import { describe, expect, it } from 'vitest';
import type { BuildNews } from '../code-host/build-news.ts';
import type { IssueId, RepoId, UserId } from '../id/id.ts';
import { NEW_PIPELINE } from '../pipeline/pipeline-state.ts';
import type { ChangeRequestRecord } from './change-request-record.ts';
import { openedRecord } from './opened-record.ts';
import { updateOutcome } from './update-outcome.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 9, minute));
const issue = { id: 'i' as IssueId, repoId: 'r' as RepoId, pipeline: NEW_PIPELINE };
const opened = (state: ChangeRequestRecord['state']) => openedRecord(issue, { number: 9, state }, at(0));
const ours: ChangeRequestRecord = { ...opened('open'), headCommit: 'c0ffee' };
const news: BuildNews = {
  ...{ commit: 'c0ffee', verdict: 'failure', failed: ['unit'], also_failing_at_base: [], optional_failed: [] },
  url: 'https://host.test/acme/sum/pull/9',
};

describe('the record of a pull request', () => {
  it('begins open or as a draft, whatever became of it before it was recorded', () => {
    expect(opened('draft')).toMatchObject({ state: 'draft', readyAt: null });
    for (const state of ['open', 'merged', 'closed'] as const) {
      expect(opened(state)).toMatchObject({ state: 'open', readyAt: at(0), mergedAt: null, closedAt: null });
    }
  });

  it('keeps when it was first ready for review', () => {
    const ready = updateOutcome(opened('draft'), { state: 'open' }, at(1));
    expect(ready.readyAt).toEqual(at(1));
    const again = updateOutcome(updateOutcome(ready, { state: 'draft' }, at(2)), { state: 'open' }, at(3));
    expect(again.readyAt).toEqual(at(1));
    expect(updateOutcome(opened('draft'), { state: 'merged' }, at(1)).readyAt).toBeNull();
  });

  it('takes the times of the code host, and the time of the sync where it gives none', () => {
    expect(updateOutcome(ours, { state: 'merged', mergedAt: at(2) }, at(5)).mergedAt).toEqual(at(2));
    expect(updateOutcome(ours, { state: 'merged', mergedAt: null }, at(5)).mergedAt).toEqual(at(5));
    expect(updateOutcome(ours, { state: 'closed', closedAt: at(2) }, at(5)).closedAt).toEqual(at(2));
    const late = updateOutcome(
      updateOutcome(ours, { state: 'merged' }, at(5)),
      { state: 'merged', mergedAt: at(2) },
      at(6),
    );
    expect(late.mergedAt).toEqual(at(2));
  });

  it('takes no time of a sync for the merge of one that was merged before there were records', () => {
    const before: ChangeRequestRecord = { ...ours, state: 'merged' };
    expect(updateOutcome(before, { state: 'merged' }, at(5)).mergedAt).toBeNull();
  });

  it('keeps the first verdict of a build on a head of ours, and no verdict on another', () => {
    const build = (commit: string, verdict: BuildNews['verdict']) => ({
      state: 'open' as const,
      build: { ...news, commit, verdict },
    });
    const foreign = updateOutcome(ours, build('beef', 'success'), at(1));
    expect(foreign.firstBuild).toBeNull();
    const running = updateOutcome(foreign, build('c0ffee', 'pending'), at(2));
    expect(running.firstBuild).toBeNull();
    const failed = updateOutcome(running, build('c0ffee', 'failure'), at(3));
    expect(failed.firstBuild).toBe('failure');
    expect(updateOutcome(failed, build('c0ffee', 'success'), at(4)).firstBuild).toBe('failure');
  });

  it('keeps what was last told of the build, until the head has none', () => {
    const told = updateOutcome(ours, { state: 'open', build: news }, at(1));
    expect(told.build).toEqual(news);
    expect(updateOutcome(told, { state: 'merged' }, at(2)).build).toEqual(news);
    expect(updateOutcome(told, { state: 'open', build: null }, at(2)).build).toBeNull();
  });

  it('asks for the reason of a close, keeps the answer while it is closed, and forgets both when it is opened again', () => {
    const asked = updateOutcome(ours, { state: 'closed', closedAt: at(1) }, at(2));
    expect(asked).toMatchObject({ closedAt: at(1), closeAskedAt: at(2), closeAnswer: null });
    const closeAnswer = { reason: 'other', note: null, userId: 'u' as UserId, at: at(3) } as const;
    const answered = updateOutcome({ ...asked, closeAnswer }, { state: 'closed' }, at(4));
    expect(answered).toEqual({ ...asked, closeAnswer });
    for (const state of ['open', 'draft', 'merged'] as const) {
      expect(updateOutcome(answered, { state }, at(5))).toMatchObject({
        closedAt: null,
        closeAskedAt: null,
        closeAnswer: null,
      });
    }
    const again = updateOutcome(updateOutcome(answered, { state: 'open' }, at(5)), { state: 'closed' }, at(6));
    expect(again).toMatchObject({ closedAt: at(6), closeAskedAt: at(6), closeAnswer: null });
  });

  it('keeps what is not said again', () => {
    const reverted = updateOutcome(ours, { state: 'merged', revertedAt: at(3), peopleCommits: 4 }, at(3));
    expect(updateOutcome(reverted, { state: 'merged' }, at(4))).toEqual(reverted);
  });
});
