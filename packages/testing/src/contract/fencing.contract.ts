import { checkpointKinds } from '@sluice/core/agent';
import type { Lease } from '@sluice/core/issue';
import { describe, expect, it } from 'vitest';
import { untilFound } from '../wait/until.ts';
import { cancelled, claimed, eventsOf, runningIssue } from './pipeline-moves.ts';
import {
  aCheckpoint,
  aDiff,
  aMessage,
  anAttemptEnd,
  anIndex,
  aStageFailure,
  LONG_MS,
  SHORT_MS,
} from './run-samples.ts';
import { atOnce, type OpenStores, type StoreHarness } from './store-harness.ts';

/** The promise of every fenced write: nothing is written under a lease that the issue no longer has. */
export function fencingContract(open: OpenStores): void {
  describe('fencing', () => {
    it.each(Object.keys(fencedWrites))('refuses %s under an older epoch and writes nothing', async (write) => {
      await using stores = await open();
      const { id } = await runningIssue(stores);
      const old = await claimed(stores, id, SHORT_MS);
      await stores.runs.beginAttempt(old, { stage: 'plan', round: 1, agent: 'planner' });
      await untilFound(() => stores.runs.claim(id, { owner: old.owner, ttlMs: LONG_MS }));
      await expectRefusal(stores, { lease: old, write });
    });

    it.each(Object.keys(fencedWrites))('refuses %s of a worker whose issue was cancelled', async (write) => {
      await using stores = await open();
      const { id } = await runningIssue(stores);
      const lease = await claimed(stores, id);
      await stores.runs.beginAttempt(lease, { stage: 'plan', round: 1, agent: 'planner' });
      await cancelled(stores, id);
      await expectRefusal(stores, { lease, write });
    });

    it.each(Object.keys(fencedWrites))('refuses %s of another owner with the same epoch', async (write) => {
      await using stores = await open();
      const { id } = await runningIssue(stores);
      const lease = await claimed(stores, id);
      await stores.runs.beginAttempt(lease, { stage: 'plan', round: 1, agent: 'planner' });
      await expectRefusal(stores, { lease: { ...lease, owner: 'worker-2' }, write });
    });

    it.each(Object.keys(fencedWrites))('lets %s through while the lease is held', async (write) => {
      await using stores = await open();
      const { id } = await runningIssue(stores);
      const lease = await claimed(stores, id);
      await stores.runs.beginAttempt(lease, { stage: 'plan', round: 1, agent: 'planner' });
      expect(await fencedWrites[write]?.(stores, lease)).toBe(true);
    });

    it('lets either the cancel or the worker’s write happen when both come at once, never half of each', async () => {
      await using stores = await open();
      for (let round = 0; round < 10; round += 1) {
        const { id } = await runningIssue(stores);
        const lease = await claimed(stores, id);
        const [ended] = await Promise.all([
          cancelled(stores, id),
          atOnce(5, () => stores.runs.record(lease, [aMessage])),
        ]);
        const events = await eventsOf(stores, id);
        expect(events.at(-1)).toMatchObject({ type: 'issue.status', data: { to: 'cancelled' }, seq: ended.lastSeq });
      }
    });
  });
}

/** Every write that takes a lease; each resolves to whether it was written. */
const fencedWrites: Record<string, (stores: StoreHarness, lease: Lease) => Promise<boolean>> = {
  apply: async ({ issues }, lease) => {
    const outcome = await issues.apply({
      issueId: lease.issueId,
      from: { status: 'running' },
      trigger: 'stage_advanced',
      lease,
      set: { stage: 'publish' },
      events: [aMessage],
    });
    return outcome.kind === 'applied';
  },
  renew: ({ runs }, lease) => runs.renew(lease, LONG_MS),
  release: ({ runs }, lease) => runs.release(lease),
  beginAttempt: async ({ runs }, lease) =>
    (await runs.beginAttempt(lease, { stage: 'plan', round: 1, agent: 'planner' })) !== null,
  failAttempt: ({ runs }, lease) => runs.failAttempt(lease, anAttemptEnd, aStageFailure),
  record: async ({ runs }, lease) => (await runs.record(lease, [aMessage])) !== null,
  appendJournal: ({ runs }, lease) =>
    runs.appendJournal(
      lease,
      { stage: 'plan', round: 1 },
      {
        entries: [
          { kind: 'begin', callId: '1' },
          { kind: 'usage', usage: { input_tokens: 1, output_tokens: 1, cost_usd: null }, model: 'acme/m' },
          { kind: 'note', seq: 9, message: {} },
        ],
        events: [aMessage],
        checkpoint: aCheckpoint,
      },
    ),
  saveIndex: ({ runs }, lease) => runs.saveIndex(lease, anIndex),
  saveCheckpoint: ({ runs }, lease) => runs.saveCheckpoint(lease, 'implementation', aCheckpoint),
  saveDiff: ({ runs }, lease) => runs.saveDiff(lease, aDiff),
  appendLog: ({ runs }, lease) => runs.appendLog(lease, [{ command: 'ls', runSeq: 1, stream: 'stdout', text: 'a' }]),
};

async function expectRefusal(stores: StoreHarness, attempt: { lease: Lease; write: string }): Promise<void> {
  const { lease, write } = attempt;
  const { issueId } = lease;
  const look = async () => ({
    issue: await stores.issues.get(issueId),
    events: await eventsOf(stores, issueId),
    journal: await stores.runs.journal(issueId, { stage: 'plan', round: 1 }),
    diff: await stores.runs.diff(issueId),
    checkpoints: await Promise.all(checkpointKinds.map((kind) => stores.runs.checkpoint(issueId, kind))),
    log: await stores.runs.log(issueId, { after: 0, limit: 10 }),
    claimable: await stores.runs.claimable(10),
    told: stores.heard.events.length + stores.heard.runnable.length,
  });
  const before = await look();
  expect(await fencedWrites[write]?.(stores, lease)).toBe(false);
  expect(await look()).toEqual(before);
}
