import type { IssueId } from '@sluice/core/id';
import { GATE_REMINDER_MS, type IssueTrigger, isActive, remindOfGate } from '@sluice/core/issue';
import { describe, expect, it } from 'vitest';
import {
  applied,
  broughtToGate,
  cancelled,
  claimed,
  eventsOf,
  positionsOf,
  queuedFor,
  replayStatus,
  runningIssue,
} from './pipeline-moves.ts';
import { atOnce, newIssueOn, type OpenStores, registeredUser, type StoreHarness, tally } from './store-harness.ts';

/** What becomes of a slot while a person is asked. */
export function gateSlotContract(open: OpenStores): void {
  describe('a gate that frees its slot', () => {
    const freeing = { maxActivePipelines: 1, gateKeepsSlot: false };

    it('lets the next issue start, and keeps the repository', async () => {
      await using stores = await open(freeing);
      const asked = await runningIssue(stores);
      const next = await runningIssue(stores);
      const { status, holdsSlot } = await broughtToGate(stores, asked.id);
      expect({ status, holdsSlot }).toEqual({ status: 'awaiting_approval', holdsSlot: false });
      expect(stores.heard.runnable).toEqual([asked.id, next.id]);
      expect((await stores.repos.get(asked.repoId))?.activeIssueId).toBe(asked.id);
      const repo = (await stores.repos.get(asked.repoId)) ?? expect.fail();
      expect(await stores.issues.create(newIssueOn(repo), { queue: true })).toMatchObject({ kind: 'repo_busy' });
    });

    it('queues the decided issue ahead of new ones, at the stage that was decided', async () => {
      await using stores = await open(freeing);
      const { id } = await runningIssue(stores);
      await broughtToGate(stores, id);
      const running = await runningIssue(stores);
      const [newcomer = expect.fail()] = await queuedFor(stores, (await registeredUser(stores)).id, 1);
      stores.clock.advance(1_000);
      const waiting = applied(await decided(stores, id));
      expect(waiting).toMatchObject({
        status: 'pending',
        stage: 'implement',
        queuedAt: stores.clock.now(),
        startedAt: null,
        queuePosition: 1,
        gate: null,
      });
      expect(isActive(waiting)).toBe(true);
      expect(await positionsOf(stores, [newcomer])).toEqual([2]);
      await cancelled(stores, running.id);
      expect(stores.heard.runnable.at(-1)).toBe(id);
      expect(await stores.issues.get(id)).toMatchObject({ status: 'running', stage: 'implement', queuePosition: null });
      expect(await claimed(stores, id)).toMatchObject({ issueId: id });
    });

    it('goes on in the same write where a slot is free, by way of the queue', async () => {
      await using stores = await open(freeing);
      const { id } = await runningIssue(stores);
      await broughtToGate(stores, id);
      expect(applied(await decided(stores, id))).toMatchObject({ status: 'running', stage: 'implement' });
      const events = await eventsOf(stores, id);
      expect(replayStatus(events)).toBe('running');
      expect(events.slice(-2)).toMatchObject([
        { data: { from: 'awaiting_approval', to: 'pending', stage: 'implement', queue_position: 1 } },
        { data: { from: 'pending', to: 'running', stage: 'implement', queue_position: null } },
      ]);
    });

    it('lets one of eight decisions at once take effect', async () => {
      await using stores = await open(freeing);
      const { id } = await runningIssue(stores);
      await broughtToGate(stores, id);
      expect(tally(await atOnce(8, () => decided(stores, id)))).toEqual({ applied: 1, stale: 7 });
    });

    it('rejects a decision that assumes a different slot state', async () => {
      await using stores = await open(freeing);
      const { id } = await runningIssue(stores);
      await broughtToGate(stores, id);
      expect(await decided(stores, id, 'plan_approved')).toEqual({ kind: 'stale' });
      await using keeping = await open({ maxActivePipelines: 1 });
      const kept = await runningIssue(keeping);
      await broughtToGate(keeping, kept.id);
      expect(await decided(keeping, kept.id)).toEqual({ kind: 'stale' });
    });

    it('needs no slot to be rejected, cancelled or to expire', async () => {
      await using stores = await open(freeing);
      for (const trigger of ['plan_rejected', 'cancelled', 'gate_expired'] as const) {
        const { id, repoId } = await runningIssue(stores);
        await broughtToGate(stores, id);
        const running = await runningIssue(stores);
        applied(await decided(stores, id, trigger));
        expect((await stores.repos.get(repoId))?.activeIssueId).toBeNull();
        await cancelled(stores, running.id);
      }
    });

    it('is found when its time is over', async () => {
      await using stores = await open(freeing);
      const { id } = await runningIssue(stores);
      const expires_at = stores.clock.now().toISOString();
      await broughtToGate(stores, id, { expires_at });
      expect(await stores.runs.expiredGates(stores.clock.now())).toEqual([id]);
    });

    it('lets a decided issue that waits be cancelled', async () => {
      await using stores = await open(freeing);
      const { id, repoId } = await runningIssue(stores);
      await broughtToGate(stores, id);
      await runningIssue(stores);
      applied(await decided(stores, id));
      expect(await cancelled(stores, id)).toMatchObject({ status: 'cancelled', queuePosition: null });
      expect((await stores.repos.get(repoId))?.activeIssueId).toBeNull();
    });

    it('lets decided issues of different users take turns, too', async () => {
      await using stores = await open({ maxActivePipelines: 1, gateKeepsSlot: false });
      const { id: userId } = await registeredUser(stores);
      const asked: IssueId[] = [];
      for (let count = 0; count < 2; count += 1) {
        const [id = expect.fail()] = await queuedFor(stores, userId, 1);
        await broughtToGate(stores, id);
        asked.push(id);
      }
      const other = await runningIssue(stores);
      await broughtToGate(stores, other.id);
      await runningIssue(stores);
      for (const id of [...asked, other.id]) applied(await decided(stores, id));
      const [first = expect.fail(), second = expect.fail()] = asked;
      expect(await positionsOf(stores, [first, other.id, second])).toEqual([1, 2, 3]);
    });
  });

  describe('a gate that holds a slot for long', () => {
    it('is counted, and reminded of once a day by one of those who try at once', async () => {
      await using stores = await open();
      const { id } = await runningIssue(stores);
      await broughtToGate(stores, id, { requested_at: stores.clock.now().toISOString() });
      expect(await remindedAtOnce(stores, id)).toBe(0);
      expect((await stores.queueStats.load()).longAtGate).toBe(0);
      for (let day = 1; day <= 2; day += 1) {
        stores.clock.advance(GATE_REMINDER_MS);
        expect(await stores.runs.gatesHoldingSlots(new Date(stores.clock.now().getTime() - GATE_REMINDER_MS))).toEqual([
          id,
        ]);
        expect((await stores.queueStats.load()).longAtGate).toBe(1);
        expect(await remindedAtOnce(stores, id)).toBe(1);
        expect(await remindedAtOnce(stores, id)).toBe(0);
        const reminders = (await eventsOf(stores, id)).filter(({ type }) => type === 'gate.reminder');
        expect(reminders).toHaveLength(day);
      }
      expect(applied(await decided(stores, id, 'plan_approved'))).toMatchObject({ status: 'running' });
    });

    it('is neither counted nor reminded of where it holds none', async () => {
      await using stores = await open({ gateKeepsSlot: false });
      const { id } = await runningIssue(stores);
      await broughtToGate(stores, id, { requested_at: stores.clock.now().toISOString() });
      stores.clock.advance(2 * GATE_REMINDER_MS);
      expect(await stores.runs.gatesHoldingSlots(stores.clock.now())).toEqual([]);
      expect((await stores.queueStats.load()).longAtGate).toBe(0);
      expect(await remindedAtOnce(stores, id)).toBe(0);
    });
  });
}

function decided(stores: StoreHarness, issueId: IssueId, trigger: IssueTrigger = 'plan_decided_without_slot') {
  return stores.issues.apply({
    issueId,
    from: { status: 'awaiting_approval' },
    trigger,
    set: { stage: 'implement', gate: null },
    events: [],
  });
}

async function remindedAtOnce(stores: StoreHarness, id: IssueId): Promise<number> {
  const issue = (await stores.issues.get(id)) ?? expect.fail();
  const outcomes = await atOnce(8, () => remindOfGate(stores, issue, stores.clock.now()));
  return outcomes.filter((reminded) => reminded).length;
}
