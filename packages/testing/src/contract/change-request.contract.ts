import type { ChangeRequestState } from '@sluice/core/code-host';
import type { Issue } from '@sluice/core/issue';
import { NEW_PIPELINE } from '@sluice/core/pipeline';
import { describe, expect, it } from 'vitest';
import { newId } from '../builder/ids.ts';
import { followUpOn, hostedRepo, importOf, PULL_URL, published } from './code-host-samples.ts';
import { applied, claimed, eventsOf, replayStatus } from './pipeline-moves.ts';
import { atOnce, type OpenStores } from './store-harness.ts';

/** The contract of the pull requests that issues were published to, on any database. */
export function changeRequestContract(name: string, open: OpenStores): void {
  describe(`pull requests on ${name}`, () => {
    it('leads to the issues that were published to it, oldest first', async () => {
      await using stores = await open();
      const repo = await hostedRepo(stores);
      const first = applied(await stores.issues.create(importOf(repo, 7), { queue: true }));
      await published(stores, first, 'draft');
      const second = applied(await stores.issues.create(followUpOn(repo, 'issue-1'), { queue: true }));
      await published(stores, second, 'draft');
      const found = await stores.codehostIndex.byChangeRequest(repo.id, 9);
      expect(found.map(({ id }) => id)).toEqual([first.id, second.id]);
      expect(found[0]).toEqual(await stores.issues.get(first.id));
      expect(found[0]?.changeRequest).toEqual({ number: 9, state: 'draft' });
      expect(await stores.codehostIndex.byChangeRequest(repo.id, 10)).toEqual([]);
      expect(await stores.codehostIndex.byChangeRequest(newId(), 9)).toEqual([]);
    });

    it('changes its state with an event, once of several at once', async () => {
      await using stores = await open();
      const repo = await hostedRepo(stores);
      const issue = applied(await stores.issues.create(importOf(repo, 7), { queue: true }));
      const before = await published(stores, issue, 'draft');
      stores.clock.advance(1_000);
      const set = (state: ChangeRequestState) => stores.codehostIndex.setChangeRequestState(issue.id, state);
      expect(await set('draft')).toBe(false);
      const changed = await atOnce(6, () => set('merged'));
      expect(changed.filter(Boolean)).toHaveLength(1);
      expect(await stores.issues.get(issue.id)).toEqual({
        ...before,
        changeRequest: { number: 9, state: 'merged' },
        lastSeq: before.lastSeq + 1,
        updatedAt: stores.clock.now(),
      });
      const events = await eventsOf(stores, issue.id);
      expect(replayStatus(events)).toBe('completed');
      expect(events.at(-1)).toMatchObject({
        type: 'change_request.updated',
        data: { number: 9, url: PULL_URL, state: 'merged' },
      });
      expect(stores.heard.events.at(-1)).toEqual({
        issueId: issue.id,
        userId: repo.userId,
        repoId: repo.id,
        seq: before.lastSeq + 1,
      });
    });

    it('is written on an issue that ended while it was opened, once of several at once, and on no other', async () => {
      await using stores = await open();
      const repo = await hostedRepo(stores);
      const made = { number: 9, url: PULL_URL, state: 'draft' } as const;
      const note = ({ id }: Pick<Issue, 'id'>) => stores.codehostIndex.noteChangeRequest(id, made);
      const { id } = applied(await stores.issues.create(importOf(repo, 7), { queue: true }));
      const from = { status: 'running' } as const;
      const lease = await claimed(stores, id);
      const { pipeline } = applied(
        await stores.issues.apply({
          issueId: id,
          from,
          lease,
          trigger: 'pipeline_updated',
          set: {
            pipeline: {
              ...NEW_PIPELINE,
              publication: { head_commit: 'c0ffee', asked: [], confirmed: null, change_request: null },
            },
          },
          events: [],
        }),
      );
      expect(await note({ id })).toBe(false);
      const cancelled = applied(await stores.issues.apply({ issueId: id, from, trigger: 'cancelled', events: [] }));
      expect(await note({ id: newId() })).toBe(false);
      const noted = await atOnce(4, () => note({ id }));
      expect(noted.filter(Boolean)).toHaveLength(1);
      const { number, url, state } = made;
      expect(await stores.issues.get(id)).toEqual({
        ...cancelled,
        changeRequest: { number, state },
        pipeline: {
          ...pipeline,
          publication: { head_commit: 'c0ffee', asked: [], confirmed: null, change_request: { number, url } },
        },
        lastSeq: cancelled.lastSeq + 1,
        updatedAt: stores.clock.now(),
      });
      const events = await eventsOf(stores, id);
      expect(replayStatus(events)).toBe('cancelled');
      expect(events.at(-1)).toMatchObject({ type: 'change_request.updated', data: made });
      expect(await stores.codehostIndex.setChangeRequestState(id, 'closed')).toBe(true);
    });

    it('leads to all follow-ups, and is among the open ones until it is merged or closed', async () => {
      await using stores = await open();
      const repo = await hostedRepo(stores);
      const first = applied(await stores.issues.create(importOf(repo, 7), { queue: true }));
      await published(stores, first, 'draft');
      const ofFirst = { parentIssueId: first.id };
      const one = applied(await stores.issues.create(followUpOn(repo, 'issue-1', ofFirst), { queue: true }));
      const other = applied(await stores.issues.create(followUpOn(repo, 'issue-2', ofFirst), { queue: false }));
      const followUps = await stores.codehostIndex.followUpsOf(first.id);
      expect(followUps.map(({ id }) => id)).toEqual([one.id, other.id]);
      expect(await stores.codehostIndex.followUpsOf(one.id)).toEqual([]);
      await published(stores, one, 'open');
      const open9 = [first.id, one.id].map((issueId) => ({ issueId, number: 9 }));
      expect(await stores.codehostIndex.openChanges(repo.id)).toEqual(open9);
      expect(await stores.codehostIndex.openChanges((await hostedRepo(stores)).id)).toEqual([]);
      for (const { issueId } of open9) await stores.codehostIndex.setChangeRequestState(issueId, 'merged');
      expect(await stores.codehostIndex.openChanges(repo.id)).toEqual([]);
    });

    it('is told of a base that moved with an event, once of several at once and for each commit', async () => {
      await using stores = await open();
      const repo = await hostedRepo(stores);
      const { id } = applied(await stores.issues.create(importOf(repo, 7), { queue: false }));
      const moved = (base_commit: string) => ({
        base_branch: 'main',
        base_commit,
        conflicts: ['a.ts'],
        files: ['a.ts'],
      });
      const note = (commit: string) => stores.codehostIndex.noteBaseMoved(id, moved(commit));
      expect((await atOnce(6, () => note('b1'))).filter(Boolean)).toHaveLength(1);
      expect(await note('b2')).toBe(true);
      expect(await note('b2')).toBe(false);
      const events = await eventsOf(stores, id);
      expect(events.map(({ seq, type }) => [seq, type])).toEqual([
        [1, 'issue.created'],
        [2, 'base.moved'],
        [3, 'base.moved'],
      ]);
      expect(events.at(-1)?.data).toEqual(moved('b2'));
      expect((await stores.issues.get(id))?.lastSeq).toBe(3);
      expect(await stores.codehostIndex.noteBaseMoved(newId(), moved('b1'))).toBe(false);
    });

    it('changes nothing of an issue that has none, or is not there', async () => {
      await using stores = await open();
      const repo = await hostedRepo(stores);
      const { id } = applied(await stores.issues.create(importOf(repo, 7), { queue: false }));
      expect(await stores.codehostIndex.setChangeRequestState(id, 'merged')).toBe(false);
      expect(await stores.codehostIndex.setChangeRequestState(newId(), 'merged')).toBe(false);
      expect(await eventsOf(stores, id)).toHaveLength(1);
    });
  });
}
