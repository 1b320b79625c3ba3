import { describe, expect, it } from 'vitest';
import type { IssueId, RepoId, UserId } from '../id/id.ts';
import { NEW_PIPELINE } from '../pipeline/pipeline-state.ts';
import type { ChangeRequestRecord } from './change-request-record.ts';
import { openedRecord } from './opened-record.ts';
import { updateOutcome } from './update-outcome.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 9, minute));
const issue = { id: 'i' as IssueId, repoId: 'r' as RepoId, pipeline: NEW_PIPELINE };
const opened = (state: ChangeRequestRecord['state']) => openedRecord(issue, { number: 9, state }, at(0));
const ours: ChangeRequestRecord = { ...opened('open'), headCommit: 'c0ffee' };

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
    const build = (headCommit: string, verdict: 'success' | 'failure' | null) => ({
      state: 'open' as const,
      build: { headCommit, verdict },
    });
    const foreign = updateOutcome(ours, build('beef', 'success'), at(1));
    expect(foreign.firstBuild).toBeNull();
    const running = updateOutcome(foreign, build('c0ffee', null), at(2));
    expect(running.firstBuild).toBeNull();
    const failed = updateOutcome(running, build('c0ffee', 'failure'), at(3));
    expect(failed.firstBuild).toBe('failure');
    expect(updateOutcome(failed, build('c0ffee', 'success'), at(4)).firstBuild).toBe('failure');
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
