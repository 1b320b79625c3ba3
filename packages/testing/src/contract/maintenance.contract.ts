import type { IssueId, SessionId } from '@sluice/core/id';
import { milestoneEvents } from '@sluice/core/issue';
import { describe, expect, it } from 'vitest';
import { aNewRepo } from '../builder/a-repo.ts';
import { newId } from '../builder/ids.ts';
import { broughtToGate, cancelled, claimed, eventsOf, failed, runningIssue } from './pipeline-moves.ts';
import { aCheckpoint, aMessage } from './run-samples.ts';
import { newIssueOn, type OpenStores, registeredRepo, registeredUser, type StoreHarness } from './store-harness.ts';

const DAY_MS = 86_400_000;
const MESSAGES = 25;
const key = { stage: 'implement', round: 1 } as const;

/** What `MaintenanceStore` deletes and what it keeps, and the figures of `QueueStats`. */
export function maintenanceContract(name: string, open: OpenStores): void {
  /** A running issue with a history: events, a journal, the output of a command, a checkpoint. */
  const withHistory = async (stores: StoreHarness): Promise<IssueId> => {
    const { id } = await runningIssue(stores);
    await broughtToGate(stores, id);
    await stores.issues.apply({
      issueId: id,
      from: { status: 'awaiting_approval' },
      trigger: 'plan_approved',
      events: [],
    });
    const lease = await claimed(stores, id);
    await stores.runs.saveCheckpoint(lease, 'work', aCheckpoint);
    await stores.runs.appendJournal(lease, key, {
      entries: Array.from({ length: MESSAGES }, (_none, at) => ({ kind: 'begin' as const, callId: `${at}` })),
      events: Array.from({ length: MESSAGES }, () => aMessage),
    });
    const chunk = { command: 'npm test', runSeq: 1, stream: 'stdout', text: 'ok' } as const;
    await stores.runs.appendLog(
      lease,
      Array.from({ length: MESSAGES }, () => chunk),
    );
    await stores.runs.release(lease);
    return id;
  };
  const leftOf = async (stores: StoreHarness, id: IssueId) => ({
    events: (await eventsOf(stores, id)).length,
    journal: (await stores.runs.journal(id, key)).length,
    log: (await stores.runs.log(id, { after: 0, limit: 1_000 })).length,
    checkpoint: (await stores.runs.checkpoint(id, 'work')) !== null,
  });
  const now = (stores: StoreHarness) => stores.clock.now();
  const forgetAll = async (stores: StoreHarness, id: IssueId, limit = 1_000): Promise<number> => {
    let calls = 0;
    while ((await stores.maintenance.forgetHistory(id, { endedBefore: now(stores), limit })) > 0) calls += 1;
    return calls;
  };

  describe(`the history of issues on ${name}`, () => {
    it('is reduced to the milestones when an issue has ended without a possible retry; the issue is unchanged', async () => {
      await using stores = await open();
      const id = await withHistory(stores);
      await cancelled(stores, id);
      const [before, all] = [await stores.issues.get(id), await eventsOf(stores, id)];
      stores.clock.advance(1);
      await forgetAll(stores, id);
      expect(await leftOf(stores, id)).toMatchObject({ journal: 0, log: 0 });
      expect(await stores.issues.get(id)).toEqual(before);
      const kept = await eventsOf(stores, id);
      expect(kept).toEqual(all.filter(({ type }) => (milestoneEvents as readonly string[]).includes(type)));
      expect(kept.at(-1)?.seq).toBe(before?.lastSeq);
      expect(kept.at(-1)).toMatchObject({ type: 'issue.status', data: { to: 'cancelled' } });
      expect(kept.length).toBeLessThan(all.length - MESSAGES);
    });

    it('stays complete while the issue is active or ended recently', async () => {
      await using stores = await open();
      const id = await withHistory(stores);
      const whole = await leftOf(stores, id);
      stores.clock.advance(400 * DAY_MS);
      const walk = { endedBefore: now(stores), after: null, limit: 10 };
      expect(await stores.maintenance.withOldHistory(walk)).toEqual({ issueIds: [], next: null });
      expect(await forgetAll(stores, id)).toBe(0);
      const endedAt = now(stores);
      await cancelled(stores, id);
      const options = { endedBefore: endedAt, limit: 1_000 };
      expect(await stores.maintenance.forgetHistory(id, options)).toBe(0);
      expect((await stores.maintenance.withOldHistory({ ...walk, endedBefore: endedAt })).issueIds).toEqual([]);
      expect(await leftOf(stores, id)).toMatchObject({ journal: whole.journal, log: whole.log });
    });

    it('keeps what a retry of a failed issue needs, and deletes nothing once it was retried', async () => {
      await using stores = await open();
      const [failure, retried] = [await withHistory(stores), await withHistory(stores)];
      for (const id of [failure, retried]) await failed(stores, id);
      stores.clock.advance(1);
      const { issueIds } = await stores.maintenance.withOldHistory({
        endedBefore: now(stores),
        after: null,
        limit: 10,
      });
      expect(issueIds).toEqual([failure, retried]);
      await stores.issues.apply({ issueId: retried, from: { status: 'failed' }, trigger: 'retried', events: [] });
      const whole = await leftOf(stores, retried);
      expect(await forgetAll(stores, retried)).toBe(0);
      expect(await leftOf(stores, retried)).toEqual(whole);
      await forgetAll(stores, failure);
      expect(await leftOf(stores, failure)).toMatchObject({ journal: MESSAGES, log: 0, checkpoint: true });
      const rest = await stores.maintenance.withOldHistory({ endedBefore: now(stores), after: null, limit: 10 });
      expect(rest).toEqual({ issueIds: [], next: null });
    });

    it('is deleted a few rows at a time', async () => {
      await using stores = await open();
      const id = await withHistory(stores);
      await cancelled(stores, id);
      stores.clock.advance(1);
      expect(await stores.maintenance.forgetHistory(id, { endedBefore: now(stores), limit: 4 })).toBe(12);
      expect(await leftOf(stores, id)).toMatchObject({ journal: MESSAGES - 4, log: MESSAGES - 4 });
      expect(await forgetAll(stores, id, 4)).toBeGreaterThan(5);
      expect(await leftOf(stores, id)).toMatchObject({ journal: 0, log: 0 });
    });

    it('is found page by page, each issue once', async () => {
      await using stores = await open();
      const ids: IssueId[] = [];
      for (let count = 0; count < 5; count += 1) ids.push((await cancelled(stores, await withHistory(stores))).id);
      await withHistory(stores);
      stores.clock.advance(1);
      await forgetAll(stores, ids[2] as IssueId);
      const found: IssueId[] = [];
      let after: number | null = null;
      do {
        const page = await stores.maintenance.withOldHistory({ endedBefore: now(stores), after, limit: 2 });
        found.push(...page.issueIds);
        after = page.next;
      } while (after !== null);
      expect(found).toEqual(ids.filter((_id, index) => index !== 2));
    });
  });

  it(`counts the queued and active issues on ${name}`, async () => {
    await using stores = await open({ maxActivePipelines: 2 });
    expect(await stores.queueStats.load()).toEqual({ queued: 0, active: 0, longAtGate: 0, oldestQueuedMs: 0 });
    for (let count = 0; count < 2; count += 1) await runningIssue(stores);
    const repos = [await registeredRepo(stores), await registeredRepo(stores)];
    for (const repo of repos) {
      await stores.issues.create(newIssueOn(repo), { queue: true });
      stores.clock.advance(1_000);
    }
    expect(await stores.queueStats.load()).toEqual({ queued: 2, active: 2, longAtGate: 0, oldestQueuedMs: 2_000 });
  });

  it(`shows who holds each slot and how many wait for what on ${name}`, async () => {
    await using stores = await open({ maxActivePipelines: 2 });
    const repo = await registeredRepo(stores);
    const owner = (await stores.users.get(repo.userId)) ?? expect.fail();
    const held = newIssueOn(repo, { title: 'The one that runs' });
    expect(await stores.issues.create(held, { queue: true })).toMatchObject({ kind: 'applied' });
    const holder = {
      issueId: held.id,
      title: held.title,
      owner: { id: owner.id, email: owner.email, codehostLogin: null },
      status: 'running',
      stage: 'prepare',
      since: now(stores),
      workerId: null,
    };
    const free = { number: 2, isRetired: false, holder: null };
    const slots = [{ number: 1, isRetired: false, holder }, free];
    const empty = { waitingForSlot: 0, waitingForRepo: 0, oldestQueuedAt: null };
    expect(await stores.queueStats.overview()).toEqual({ ...empty, slots });

    await stores.runs.claim(held.id, { owner: 'worker-1', ttlMs: 60_000 });
    await runningIssue(stores);
    await stores.issues.create(newIssueOn(repo), { queue: true, orWait: true });
    const oldestQueuedAt = now(stores);
    for (let count = 0; count < 2; count += 1) {
      await stores.issues.create(newIssueOn(await registeredRepo(stores)), { queue: true });
      stores.clock.advance(1_000);
    }
    const seen = await stores.queueStats.overview();
    expect(seen).toMatchObject({ waitingForSlot: 2, waitingForRepo: 1, oldestQueuedAt });
    expect(seen.slots[0]?.holder).toEqual({ ...holder, workerId: 'worker-1' });
    expect(seen.slots[1]?.holder?.title).toEqual(expect.any(String));
    await cancelled(stores, held.id);
    expect(await stores.queueStats.overview()).toMatchObject({ waitingForRepo: 0 });
  });

  describe(`expired rows on ${name}`, () => {
    it('deletes ended sessions, abandoned sign-ins and the stored responses of yesterday', async () => {
      await using stores = await open();
      const { id: userId, email } = await registeredUser(stores);
      const at = (ms: number) => new Date(now(stores).getTime() + ms);
      const session = async (expiresAt: Date, idleEndsAt: Date | null = null) => {
        const made = await stores.sessions.create({ id: newId<SessionId>(), userId, expiresAt, idleEndsAt });
        if (made === null) throw new Error('the session was not created');
        return made.id;
      };
      const [over, revoked, live] = [await session(at(10)), await session(at(DAY_MS)), await session(at(DAY_MS))];
      const alone = await session(at(DAY_MS), at(10));
      const alsoOver = await session(at(10));
      await stores.sessions.revoke(revoked);
      await stores.signInFlows.beginFlow({ nonce: 'n-1', expiresAt: at(10) });
      await stores.signInFlows.putLoginGrant({
        grantHash: 'h-1',
        challenge: 'c',
        userId,
        provider: null,
        expiresAt: at(10),
      });
      const request = { userId, route: 'POST /issues', key: 'k-1' };
      const claim = { hash: 'h', owner: 'one', ttlMs: 60_000, keptMs: DAY_MS };
      await stores.idempotency.claim(request, claim);
      const response = { request, owner: 'one', toResponse: () => ({ body: {}, location: '/' }) };
      await stores.repos.create(aNewRepo({ userId: request.userId }), { response });
      await stores.idempotency.claim({ ...request, key: 'k-2' }, claim); // under way
      const today = now(stores).toISOString().slice(0, 10);
      await stores.users.addFailedLogins([
        { email: email ?? '', day: '2000-01-01', count: 1 },
        { email: email ?? '', day: today, count: 1 },
      ]);
      stores.clock.advance(100);
      const before = now(stores);
      const calls: boolean[] = [];
      do calls.push(await stores.maintenance.clearExpired({ before, limit: 1 }));
      while (calls.at(-1) === true);
      expect(calls.length).toBeGreaterThan(2);
      const { items: failed } = await stores.users.failedLogins(userId, '', { limit: 9, cursor: null });
      expect(failed).toEqual([{ day: today, count: 1 }]);
      expect(await stores.sessions.find(live)).not.toBeNull();
      expect(await stores.signInFlows.consumeFlow('n-1')).toBe(false);
      expect(await stores.signInFlows.takeLoginGrant('h-1')).toBeNull();
      // Deleted, so their ids are free again.
      for (const id of [over, alsoOver, revoked, alone]) {
        expect(await stores.sessions.create({ id, userId, expiresAt: at(DAY_MS) })).not.toBeNull();
      }
      expect(await stores.idempotency.claim(request, claim)).toEqual({ kind: 'taken' });
      expect(await stores.idempotency.claim({ ...request, key: 'k-2' }, claim)).toEqual({ kind: 'under_way' });
    });
  });
}
