import { setImmediate as turn } from 'node:timers/promises';
import { callerOf } from '@sluice/core/access';
import type { Issue } from '@sluice/core/issue';
import { describe, expect, it } from 'vitest';
import { newId } from '../builder/ids.ts';
import { followUpOn, hostedRepo, importOf, published } from './code-host-samples.ts';
import { applied, eventsOf, replayStatus } from './pipeline-moves.ts';
import { atOnce, newIssueOn, type OpenStores, registeredRepo, type StoreHarness, tally } from './store-harness.ts';

/** The contract of issues that come from the code host or went there, on any database. */
export function codeHostIndexContract(name: string, open: OpenStores): void {
  describe(`issues of the code host on ${name}`, () => {
    describe('an import', () => {
      it('is kept with where it comes from, what it goes on with, and what is odd about it', async () => {
        await using stores = await open();
        const repo = await hostedRepo(stores);
        const parent = applied(await stores.issues.create(importOf(repo, 7), { queue: false }));
        expect(parent).toMatchObject({
          origin: 'codehost',
          codehostNumber: 7,
          codehostUrl: 'https://host.test/acme/sum/issues/7',
          changeRequest: null,
          parentIssueId: null,
          pipeline: { branch: null },
        });
        expect(parent.pipeline.warnings).toEqual([]);
        const followUp = { kind: 'base', head_commit: 'c1', base_branch: 'main', base_commit: 'b2' } as const;
        const more = {
          ...{ parentIssueId: parent.id, branch: 'sluice/7', followUp },
          warnings: ['It holds text that nobody sees.'],
        };
        const child = applied(await stores.issues.create(followUpOn(repo, 'issue-1', more), { queue: false }));
        expect(child).toMatchObject({
          parentIssueId: parent.id,
          codehostNumber: null,
          pipeline: { branch: 'sluice/7', follow_up: followUp, warnings: more.warnings },
        });
        expect(await stores.issues.get(child.id)).toEqual(child);
      });

      it.each([
        ['number', true],
        ['number', false],
        ['comment', true],
        ['comment', false],
      ] as const)(
        'is made once per repository and %s, however many bring it at once (queued: %s)',
        async (by, queue) => {
          await using stores = await open();
          const repo = await hostedRepo(stores);
          const issue = () => (by === 'number' ? importOf(repo, 7) : followUpOn(repo, 'issue-1'));
          const outcomes = await atOnce(8, () => stores.issues.create(issue(), { queue }));
          expect(tally(outcomes)).toEqual({ applied: 1, exists: 7 });
          const ids = outcomes.map((one) => (one.kind === 'applied' ? one.issue.id : 'issueId' in one && one.issueId));
          expect(new Set(ids).size).toBe(1);
          const { items } = await stores.issues.list({ readableBy: callerOf(repo.userId), limit: 10, cursor: null });
          expect(items).toHaveLength(1);
          expect(stores.heard.events).toHaveLength(1);
          expect(replayStatus(await eventsOf(stores, (items[0] as Issue).id))).toBe(items[0]?.status);
        },
      );

      it('is in the way of no other number, comment or repository', async () => {
        await using stores = await open();
        const repo = await hostedRepo(stores);
        const other = await hostedRepo(stores, { codehostRepoId: repo.codehostRepoId });
        const created = [
          importOf(repo, 7),
          importOf(repo, 8),
          importOf(other, 7),
          followUpOn(repo, 'issue-1'),
          followUpOn(repo, 'issue-2'),
          followUpOn(other, 'issue-1'),
          newIssueOn(repo),
          newIssueOn(repo),
        ];
        for (const issue of created) applied(await stores.issues.create(issue, { queue: false }));
      });

      it('waits behind the active issue of its repository, and can be made again when it was deleted', async () => {
        await using stores = await open();
        const repo = await hostedRepo(stores);
        const active = applied(await stores.issues.create(newIssueOn(repo), { queue: true }));
        expect(await stores.issues.create(importOf(repo, 7), { queue: true })).toEqual({
          kind: 'repo_busy',
          holder: { issueId: active.id, repoId: repo.id },
        });
        await published(stores, active, 'open');
        const { id } = applied(await stores.issues.create(importOf(repo, 7), { queue: true }));
        applied(
          await stores.issues.apply({ issueId: id, from: { status: 'running' }, trigger: 'cancelled', events: [] }),
        );
        expect(await stores.issues.create(importOf(repo, 7), { queue: true })).toEqual({ kind: 'exists', issueId: id });
        await stores.issues.remove(id);
        applied(await stores.issues.create(importOf(repo, 7), { queue: true }));
      });
    });

    describe('the index', () => {
      it('knows every registration of a repository at the code host, oldest first', async () => {
        await using stores = await open();
        const one = await hostedRepo(stores);
        const { codehostRepoId } = one;
        const two = await hostedRepo(stores, { codehostRepoId });
        await hostedRepo(stores);
        await registeredRepo(stores, { codehostRepoId });
        const { registrations, registered } = stores.codehostIndex;
        expect(await registrations(codehostRepoId ?? '')).toEqual([one, two]);
        expect(await registrations('none')).toEqual([]);
        const ids = [codehostRepoId ?? '', 'none'];
        expect(await registered(two.userId, ids)).toEqual(new Map([[codehostRepoId, two.id]]));
        expect(await registered(newId(), ids)).toEqual(new Map());
        expect(await registered(one.userId, [])).toEqual(new Map());
      });

      it('leaves out the registrations of users who are locked out, for as long as they are', async () => {
        await using stores = await open();
        const one = await hostedRepo(stores);
        const two = await hostedRepo(stores, { codehostRepoId: one.codehostRepoId });
        const { registrations } = stores.codehostIndex;
        await stores.users.disable(one.userId);
        expect(await registrations(one.codehostRepoId ?? '')).toEqual([two]);
        await stores.users.enable(one.userId);
        expect(await registrations(one.codehostRepoId ?? '')).toEqual([one, two]);
      });

      it('finds what was imported, by number, and follow-ups by their comment', async () => {
        await using stores = await open();
        const repo = await hostedRepo(stores);
        const other = await hostedRepo(stores);
        const seven = applied(await stores.issues.create(importOf(repo, 7), { queue: false }));
        await stores.issues.create(importOf(other, 8), { queue: false });
        const followUp = applied(await stores.issues.create(followUpOn(repo, 'issue-1'), { queue: false }));
        const { imported, followUpOf } = stores.codehostIndex;
        const numbers = Array.from({ length: 2_000 }, (_, number) => number);
        expect(await imported(repo.id, numbers)).toEqual(new Map([[7, seven.id]]));
        expect(await imported(repo.id, [])).toEqual(new Map());
        expect(await followUpOf(repo.id, 'issue-1')).toEqual(followUp);
        expect(await followUpOf(repo.id, 'issue-2')).toBeNull();
        expect(await followUpOf(other.id, 'issue-1')).toBeNull();
      });
    });

    describe('a permanently deleted issue', () => {
      const remove = async (stores: StoreHarness, { id, status }: Issue) => {
        applied(await stores.issues.apply({ issueId: id, from: { status }, trigger: 'cancelled', events: [] }));
        expect(await stores.issues.remove(id)).toBe('removed');
      };

      it('is remembered for its registration, also when it came again and was deleted again', async () => {
        await using stores = await open();
        const { wasRemoved } = stores.codehostIndex;
        const repo = await hostedRepo(stores);
        const other = await hostedRepo(stores, { codehostRepoId: repo.codehostRepoId });
        const commentId = 'review-7';
        for (let round = 0; round < 2; round += 1) {
          const seven = applied(await stores.issues.create(importOf(repo, 7), { queue: false }));
          const followUp = applied(await stores.issues.create(followUpOn(repo, commentId), { queue: false }));
          expect(await wasRemoved(repo.id, { number: 7 })).toBe(round === 1);
          await remove(stores, seven);
          await remove(stores, followUp);
          expect(await wasRemoved(repo.id, { number: 7 })).toBe(true);
          expect(await wasRemoved(repo.id, { commentId })).toBe(true);
        }
        expect(await wasRemoved(repo.id, { number: 8 })).toBe(false);
        expect(await wasRemoved(repo.id, { commentId: '7' })).toBe(false);
        expect(await wasRemoved(other.id, { number: 7 })).toBe(false);
      });

      it('is remembered at once, for every reader, and forgotten with its registration', async () => {
        await using stores = await open();
        const { imported, wasRemoved } = stores.codehostIndex;
        const repo = await hostedRepo(stores);
        const issue = applied(await stores.issues.create(importOf(repo, 7), { queue: false }));
        const { id, status } = issue;
        expect(await stores.issues.remove(id)).toBe('stale');
        expect(await wasRemoved(repo.id, { number: 7 })).toBe(false);
        applied(await stores.issues.apply({ issueId: id, from: { status }, trigger: 'cancelled', events: [] }));
        const removing = stores.issues.remove(id);
        while ((await imported(repo.id, [7])).size > 0) await turn();
        expect(await wasRemoved(repo.id, { number: 7 })).toBe(true);
        await removing;
        await remove(stores, applied(await stores.issues.create(newIssueOn(repo), { queue: false })));
        expect(await stores.repos.remove(repo.id)).toBe('removed');
        expect(await wasRemoved(repo.id, { number: 7 })).toBe(false);
      });
    });

    it('lets an issue and its registration be deleted at once', async () => {
      await using stores = await open();
      const repo = await hostedRepo(stores);
      const ids = [];
      for (let number = 1; number <= 6; number += 1) {
        const { id, status } = applied(await stores.issues.create(importOf(repo, number), { queue: false }));
        applied(await stores.issues.apply({ issueId: id, from: { status }, trigger: 'cancelled', events: [] }));
        ids.push(id);
      }
      const ends = await Promise.all([...ids.map((id) => stores.issues.remove(id)), stores.repos.remove(repo.id)]);
      expect(ends.pop()).toBe('removed');
      expect(new Set(ends).difference(new Set(['removed', 'absent'])).size).toBe(0);
      expect(await stores.codehostIndex.wasRemoved(repo.id, { number: 1 })).toBe(false);
    });
  });
}
