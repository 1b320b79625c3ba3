import { callerOf } from '@sluice/core/access';
import { type Issue, isActive, isPending } from '@sluice/core/issue';
import { describe, expect, it } from 'vitest';
import { applied, broughtToGate, cancelled, eventsOf, failed, runningIssue } from './pipeline-moves.ts';
import { atOnce, newIssueOn, type OpenStores, registeredRepo, tally } from './store-harness.ts';

/** The rules of admission: one issue per remote, so many on the host, first come first served. */
export function admissionContract(open: OpenStores): void {
  describe('admission', () => {
    it('starts an issue at once when a slot is free', async () => {
      await using stores = await open();
      const issue = await runningIssue(stores);
      expect(issue).toMatchObject({ status: 'running', stage: 'prepare', queuePosition: null, lastSeq: 2 });
      expect(issue.startedAt).toEqual(stores.clock.now());
      expect(stores.heard.runnable).toEqual([issue.id]);
      const [created, started] = await eventsOf(stores, issue.id);
      expect(created).toMatchObject({
        type: 'issue.created',
        data: { issue: { status: 'pending', queue_position: 1, queued_at: stores.clock.now().toISOString() } },
      });
      expect(started).toMatchObject({
        type: 'issue.status',
        data: { from: 'pending', to: 'running', stage: 'prepare', queue_position: null },
      });
    });

    it('gives the repository to one of eight concurrent creates, and names the active issue to the others', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      const outcomes = await atOnce(8, () => stores.issues.create(newIssueOn(repo), { queue: true }));
      expect(tally(outcomes)).toEqual({ applied: 1, repo_busy: 7 });
      const winner = outcomes.find((one) => one.kind === 'applied')?.issue;
      for (const one of outcomes) {
        if (one.kind === 'repo_busy') expect(one.holder).toEqual({ issueId: winner?.id, repoId: repo.id });
      }
      const { items } = await stores.issues.list({ readableBy: callerOf(repo.userId), limit: 100, cursor: null });
      expect(items.map(({ id }) => id)).toEqual([winner?.id]);
    });

    it('lets one of eight pending issues of one remote be run at once', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      const pending = await atOnce(8, () => stores.issues.create(newIssueOn(repo), { queue: false }));
      const outcomes = await Promise.all(
        pending.map((one) =>
          stores.issues.apply({
            issueId: applied(one).id,
            from: { status: 'pending', queued: false },
            trigger: 'queued',
            events: [],
          }),
        ),
      );
      expect(tally(outcomes)).toEqual({ applied: 1, repo_busy: 7 });
    });

    it('queues an issue once, however often it is run at once', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      const { id } = applied(await stores.issues.create(newIssueOn(repo), { queue: false }));
      const run = { issueId: id, from: { status: 'pending', queued: false }, trigger: 'queued', events: [] } as const;
      expect(tally(await atOnce(8, () => stores.issues.apply(run)))).toEqual({ applied: 1, stale: 7 });
      expect((await eventsOf(stores, id)).map(({ type }) => type)).toEqual([
        'issue.created',
        'issue.status',
        'issue.status',
      ]);
    });

    it('holds a remote between users too, also while its issue only waits in the queue', async () => {
      await using stores = await open({ maxActivePipelines: 1 });
      await runningIssue(stores);
      const canonicalRemote = 'https://example.test/acme/contested';
      const mine = await registeredRepo(stores, { canonicalRemote });
      const theirs = await registeredRepo(stores, { canonicalRemote });
      const waiting = applied(await stores.issues.create(newIssueOn(mine), { queue: true }));
      expect(isPending(waiting.status)).toBe(true);
      expect(await stores.issues.create(newIssueOn(theirs), { queue: true })).toEqual({
        kind: 'repo_busy',
        holder: { issueId: waiting.id, repoId: mine.id },
      });
      await cancelled(stores, waiting.id);
      applied(await stores.issues.create(newIssueOn(theirs), { queue: true }));
    });

    it('runs five of twelve issues created at once, and the others wait in line', async () => {
      await using stores = await open({ maxActivePipelines: 5 });
      const repos = await atOnce(12, () => registeredRepo(stores));
      const created = await Promise.all(
        repos.map((repo) => stores.issues.create(newIssueOn(repo), { queue: true }).then(applied)),
      );
      const now = await Promise.all(created.map(({ id }) => stores.issues.get(id)));
      const waiting = now.filter((issue) => issue !== null && isPending(issue.status));
      expect(waiting).toHaveLength(7);
      expect(waiting.map((issue) => issue?.queuePosition).sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect(waiting.every((issue) => issue !== null && isActive(issue) && issue.stage === null)).toBe(true);
      expect(stores.heard.runnable).toHaveLength(5);
    });

    it('starts the oldest of those who wait when a slot is freed, and the others move up', async () => {
      await using stores = await open({ maxActivePipelines: 5 });
      const running: Issue[] = [];
      for (let count = 0; count < 5; count += 1) running.push(await runningIssue(stores));
      const sixth = await runningIssue(stores);
      const seventh = await runningIssue(stores);
      expect([sixth.status, sixth.queuePosition, seventh.queuePosition]).toEqual(['pending', 1, 2]);

      await cancelled(stores, running[2]?.id ?? sixth.id);
      expect(await stores.issues.get(sixth.id)).toMatchObject({ status: 'running', queuePosition: null });
      expect(await stores.issues.get(seventh.id)).toMatchObject({ status: 'pending', queuePosition: 1 });
      expect(stores.heard.runnable.at(-1)).toBe(sixth.id);
    });

    it('keeps the order of the queue within one millisecond', async () => {
      await using stores = await open({ maxActivePipelines: 1 });
      const inOrder: Issue[] = [];
      for (let count = 0; count < 9; count += 1) inOrder.push(await runningIssue(stores));
      for (const issue of inOrder) await cancelled(stores, issue.id);
      expect(stores.heard.runnable).toEqual(inOrder.map(({ id }) => id));
    });

    it('starts the issue that was queued first, not the one created first', async () => {
      await using stores = await open({ maxActivePipelines: 1 });
      const first = await runningIssue(stores);
      const repo = await registeredRepo(stores);
      const imported = applied(await stores.issues.create(newIssueOn(repo), { queue: false }));
      const created = await runningIssue(stores);
      const run = applied(
        await stores.issues.apply({
          issueId: imported.id,
          from: { status: 'pending', queued: false },
          trigger: 'queued',
          events: [],
        }),
      );
      expect([created.queuePosition, run.queuePosition]).toEqual([1, 2]);
      expect((await eventsOf(stores, imported.id)).at(-1)).toMatchObject({
        type: 'issue.status',
        data: { from: 'pending', to: 'pending', stage: null, queue_position: 2 },
      });
      await cancelled(stores, first.id);
      expect(stores.heard.runnable.at(-1)).toBe(created.id);
    });

    it('takes a cancelled issue out of the queue', async () => {
      await using stores = await open({ maxActivePipelines: 1 });
      const first = await runningIssue(stores);
      const second = await runningIssue(stores);
      const third = await runningIssue(stores);
      expect(await cancelled(stores, second.id)).toMatchObject({ status: 'cancelled', queuePosition: null });
      expect((await stores.issues.get(third.id))?.queuePosition).toBe(1);
      await cancelled(stores, first.id);
      expect(stores.heard.runnable).toEqual([first.id, third.id]);
    });

    it('lets a pause for a person keep the slot and the repository', async () => {
      await using stores = await open({ maxActivePipelines: 1 });
      const { id, repoId } = await runningIssue(stores);
      const next = await runningIssue(stores);
      await broughtToGate(stores, id);
      expect((await stores.issues.get(next.id))?.status).toBe('pending');
      expect((await stores.repos.get(repoId))?.activeIssueId).toBe(id);
    });

    it('queues a failed issue again when it is retried, and goes on at the stage that failed', async () => {
      await using stores = await open({ maxActivePipelines: 1 });
      const { id } = await runningIssue(stores);
      expect(await failed(stores, id)).toMatchObject({ status: 'failed', finishedAt: stores.clock.now() });
      const other = await runningIssue(stores);
      stores.clock.advance(1_000);

      const retry = { issueId: id, from: { status: 'failed' }, trigger: 'retried', events: [] } as const;
      const outcomes = await atOnce(8, () => stores.issues.apply(retry));
      expect(tally(outcomes)).toEqual({ applied: 1, stale: 7 });
      expect(await stores.issues.get(id)).toMatchObject({
        status: 'pending',
        queuePosition: 1,
        queuedAt: stores.clock.now(),
        stage: 'test',
        error: null,
        finishedAt: null,
        startedAt: null,
      });
      await cancelled(stores, other.id);
      expect(await stores.issues.get(id)).toMatchObject({ status: 'running', stage: 'test' });
    });

    it('rejects a retry of an earlier failure', async () => {
      await using stores = await open();
      const { id } = await runningIssue(stores);
      const { lastSeq } = await failed(stores, id);
      const retry = { issueId: id, from: { status: 'failed', lastSeq }, trigger: 'retried', events: [] } as const;
      applied(await stores.issues.apply(retry));
      const again = await failed(stores, id);
      expect(await stores.issues.apply(retry)).toEqual({ kind: 'stale' });
      expect(await stores.issues.get(id)).toEqual(again);
    });

    it('refuses a retry while another issue holds the remote', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      const { id } = applied(await stores.issues.create(newIssueOn(repo), { queue: true }));
      await failed(stores, id);
      const holder = applied(await stores.issues.create(newIssueOn(repo), { queue: true }));
      const before = await stores.issues.get(id);
      expect(
        await stores.issues.apply({ issueId: id, from: { status: 'failed' }, trigger: 'retried', events: [] }),
      ).toEqual({ kind: 'repo_busy', holder: { issueId: holder.id, repoId: holder.repoId } });
      expect(await stores.issues.get(id)).toEqual(before);
    });

    it('refuses an issue on a repository that was removed meanwhile', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      await stores.repos.remove(repo.id);
      await expect(stores.issues.create(newIssueOn(repo), { queue: true })).rejects.toMatchObject({
        code: 'repo_not_found',
      });
    });

    it('never leaves an issue active on a repository that is removed in the same moment', async () => {
      await using stores = await open();
      const repos = await atOnce(6, () => registeredRepo(stores));
      for (const repo of repos) {
        const issue = newIssueOn(repo);
        const [removal, creation] = await Promise.allSettled([
          stores.repos.remove(repo.id),
          stores.issues.create(issue, { queue: true }),
        ]);
        const isThere = (await stores.issues.get(issue.id)) !== null;
        expect(creation).toMatchObject({ status: isThere ? 'fulfilled' : 'rejected' });
        expect(removal).toEqual({ status: 'fulfilled', value: isThere ? 'active' : 'removed' });
      }
    });
  });
}
