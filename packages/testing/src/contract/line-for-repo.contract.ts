import { callerOf } from '@sluice/core/access';
import type { IssueId } from '@sluice/core/id';
import { type Issue, isEditable } from '@sluice/core/issue';
import type { Repo } from '@sluice/core/repo';
import { describe, expect, it } from 'vitest';
import { applied, cancelled, eventsOf, failed, replayStatus } from './pipeline-moves.ts';
import {
  atOnce,
  newIssueOn,
  type OpenStores,
  registeredRepo,
  registeredUser,
  type StoreHarness,
  tally,
} from './store-harness.ts';

const REMOTE = 'https://example.test/acme/contested';

/** An issue that is queued, or waits for its repository. */
async function lined(stores: StoreHarness, repo: Repo, userId = repo.userId): Promise<Issue> {
  return applied(await stores.issues.create(newIssueOn(repo, { userId }), { queue: true, orWait: true }));
}

async function statusOf(stores: StoreHarness, id: IssueId) {
  const issue = await stores.issues.get(id);
  return issue?.waitsForRepo === true ? 'waits' : issue?.status;
}

/** What a store promises of issues that wait for the one that holds their repository. */
export function lineForRepoContract(open: OpenStores): void {
  describe('the line for a repository', () => {
    it('lets one of eight issues created at once run, and starts the others one after another, in order', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      const created = await atOnce(8, () => lined(stores, repo));
      const running = created.filter(({ status }) => status === 'running');
      expect(running).toHaveLength(1);
      const waiting = created.filter(({ waitsForRepo }) => waitsForRepo);
      expect(waiting).toHaveLength(7);
      expect(waiting.every((issue) => isEditable(issue) && issue.queuePosition === null)).toBe(true);
      const { items } = await stores.issues.list({ readableBy: callerOf(repo.userId), limit: 100, cursor: null });
      expect(items.filter(({ waitsForRepo }) => waitsForRepo)).toHaveLength(7);
      const inOrder = [...items].reverse().map(({ id }) => id);
      for (const id of inOrder) {
        expect(await statusOf(stores, id)).toBe('running');
        await cancelled(stores, id);
      }
      expect(stores.heard.runnable).toEqual(inOrder);
    });

    it('queues the next one, of whatever user, in the write that frees the repository, with an event', async () => {
      await using stores = await open({ maxActivePipelines: 1 });
      const mine = await registeredRepo(stores, { canonicalRemote: REMOTE });
      const theirs = await registeredRepo(stores, { canonicalRemote: REMOTE });
      const first = await lined(stores, mine);
      const second = await lined(stores, theirs);
      const third = await lined(stores, mine);
      expect((await eventsOf(stores, second.id))[0]).toMatchObject({
        data: { issue: { status: 'pending', queued_at: null, queue_position: null, waits_for_repo: true } },
      });
      const elsewhere = await lined(stores, await registeredRepo(stores)); // takes the slot
      await failed(stores, first.id);
      expect(await stores.issues.get(second.id)).toMatchObject({
        status: 'pending',
        waitsForRepo: false,
        queuedAt: stores.clock.now(),
        queuePosition: 1,
      });
      expect(await statusOf(stores, elsewhere.id)).toBe('running');
      // Behind the one that is started at the end of the same write.
      const events = await eventsOf(stores, second.id);
      expect(events.at(-1)).toMatchObject({
        type: 'issue.status',
        data: { from: 'pending', to: 'pending', queue_position: 2, detail: 'Its repository is free.' },
      });
      expect(replayStatus(events)).toBe('pending');
      await cancelled(stores, second.id);
      expect(await stores.issues.get(third.id)).toMatchObject({ waitsForRepo: false, queuePosition: 1 });
    });

    it('passes over one that was cancelled while it waited, which frees nothing', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      const [first, second, third] = [await lined(stores, repo), await lined(stores, repo), await lined(stores, repo)];
      expect(await cancelled(stores, second.id)).toMatchObject({ status: 'cancelled', waitsForRepo: false });
      expect(await statusOf(stores, third.id)).toBe('waits');
      expect(await stores.issues.remove(second.id)).toBe('removed');
      await cancelled(stores, first.id);
      expect(await statusOf(stores, third.id)).toBe('running');
    });

    it('lets a registration be removed with those that wait for it, and goes on with the others', async () => {
      await using stores = await open();
      const mine = await registeredRepo(stores, { canonicalRemote: REMOTE });
      const theirs = await registeredRepo(stores, { canonicalRemote: REMOTE });
      const [first, removed, last] = [
        await lined(stores, mine),
        await lined(stores, theirs),
        await lined(stores, mine),
      ];
      expect(await stores.repos.remove(mine.id)).toBe('active');
      expect(await stores.repos.remove(theirs.id)).toBe('removed');
      expect(await stores.issues.get(removed.id)).toBeNull();
      await cancelled(stores, first.id);
      expect(await statusOf(stores, last.id)).toBe('running');
      expect(await stores.issues.queueWaiting()).toBe(0);
    });

    it('takes in a pending issue that is run, once, and refuses it where it is not to wait', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      const first = await lined(stores, repo);
      const { id } = applied(await stores.issues.create(newIssueOn(repo), { queue: false }));
      const run = { issueId: id, from: { status: 'pending', queued: false }, trigger: 'queued', events: [] } as const;
      expect(await stores.issues.apply(run)).toMatchObject({ kind: 'repo_busy' });
      expect(tally(await atOnce(4, () => stores.issues.apply({ ...run, orWait: true })))).toEqual({
        applied: 1,
        stale: 3,
      });
      expect(await statusOf(stores, id)).toBe('waits');
      expect((await eventsOf(stores, id)).at(-1)).toMatchObject({
        data: { from: 'pending', to: 'pending', detail: 'The issue waits for another issue on its repository.' },
      });
      await stores.issues.edit(id, { title: 'While it waits', body: '', warnings: [] });
      expect(await statusOf(stores, id)).toBe('waits');
      await cancelled(stores, first.id);
      expect(await stores.issues.get(id)).toMatchObject({ status: 'running', title: 'While it waits' });
    });

    it('passes over a disabled user, and finds theirs again when they are enabled and the repository is free', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores, { canonicalRemote: REMOTE });
      const other = await registeredRepo(stores, { canonicalRemote: REMOTE });
      const first = await lined(stores, repo);
      const [disabled, next] = [await lined(stores, other), await lined(stores, repo)];
      await stores.users.disable(other.userId);
      await cancelled(stores, first.id);
      expect(await statusOf(stores, disabled.id)).toBe('waits');
      expect(await statusOf(stores, next.id)).toBe('running');
      await cancelled(stores, next.id);
      expect(await stores.issues.queueWaiting()).toBe(0);
      await stores.users.enable(other.userId);
      expect(await stores.issues.queueWaiting()).toBe(1);
      expect(await statusOf(stores, disabled.id)).toBe('running');
      expect(await stores.issues.queueWaiting()).toBe(0);
    });

    it('passes over a disabled member of a repository, and not over the others in it', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      const member = await registeredUser(stores);
      const first = await lined(stores, repo);
      const [disabled, next] = [await lined(stores, repo, member.id), await lined(stores, repo)];
      await stores.users.disable(member.id);
      await cancelled(stores, first.id);
      expect(await statusOf(stores, disabled.id)).toBe('waits');
      expect(await statusOf(stores, next.id)).toBe('running');
      await cancelled(stores, next.id);
      expect(await stores.issues.queueWaiting()).toBe(0);
      await stores.users.enable(member.id);
      expect(await stores.issues.queueWaiting()).toBe(1);
      expect(await statusOf(stores, disabled.id)).toBe('running');
    });

    it('loses nobody while many issues are created and ended at once', async () => {
      await using stores = await open();
      const repos = [
        await registeredRepo(stores, { canonicalRemote: REMOTE }),
        await registeredRepo(stores, { canonicalRemote: REMOTE }),
      ];
      const created = await atOnce(16, async (index) => {
        const issue = await lined(stores, repos[index % 2] as Repo);
        if (index % 3 === 0) await cancelled(stores, issue.id);
        return issue;
      });
      let left = created.filter((_, index) => index % 3 !== 0);
      while (left.length > 0) {
        const now = await Promise.all(left.map(({ id }) => statusOf(stores, id)));
        expect(now.filter((status) => status === 'running')).toHaveLength(1);
        expect(now.filter((status) => status === 'waits')).toHaveLength(left.length - 1);
        const running = left[now.indexOf('running')] as Issue;
        await cancelled(stores, running.id);
        left = left.filter(({ id }) => id !== running.id);
      }
      expect(await stores.issues.queueWaiting()).toBe(0);
    });
  });
}
