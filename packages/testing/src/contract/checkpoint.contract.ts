import { randomBytes } from 'node:crypto';
import type { Issue } from '@sluice/core/issue';
import type { Checkpoint } from '@sluice/core/workspace';
import { describe, expect, it } from 'vitest';
import { newId } from '../builder/ids.ts';
import { applied, broughtToGate, cancelled, claimed, failed, runningIssue } from './pipeline-moves.ts';
import { aCheckpoint, aMessage } from './run-samples.ts';
import { atOnce, type OpenStores, type StoreHarness } from './store-harness.ts';

/** What a store promises of the trees that it keeps. */
export function checkpointContract(open: OpenStores): void {
  describe('a checkpoint', () => {
    const key = { stage: 'implement', round: 1 } as const;

    it('is read byte for byte as it was saved, and replaced by the next of its kind alone', async () => {
      await using stores = await open();
      const { runs } = stores;
      const { id } = await runningIssue(stores);
      const lease = await claimed(stores, id);
      expect(await runs.checkpoint(id, 'work')).toBeNull();
      const patches = [new Uint8Array(), Uint8Array.from({ length: 256 }, (_, byte) => byte), randomBytes(300_000)];
      for (const [index, patch] of patches.entries()) {
        const saved = { ...aCheckpoint, commit: `c${index}`, patch };
        expect(await runs.saveCheckpoint(lease, 'implementation', saved)).toBe(true);
        expectSame(await runs.checkpoint(id, 'implementation'), saved);
        expect(await runs.checkpoint(id, 'work')).toBeNull();
      }
      await runs.saveCheckpoint(lease, 'work', aCheckpoint);
      expectSame(await runs.checkpoint(id, 'work'), aCheckpoint);
      expect((await runs.checkpoint(id, 'implementation'))?.commit).toBe('c2');
      expect(await runs.checkpoint(newId(), 'work')).toBeNull();
    });

    it('of the work under way is written with the journal, or not at all', async () => {
      await using stores = await open();
      const { runs } = stores;
      const { id } = await runningIssue(stores);
      const lease = await claimed(stores, id);
      const written = { entries: [{ kind: 'checkpoint', commit: aCheckpoint.commit }], events: [aMessage] } as const;
      await runs.appendJournal(lease, key, { ...written, checkpoint: aCheckpoint });
      expectSame(await runs.checkpoint(id, 'work'), aCheckpoint);
      await runs.appendJournal(lease, key, { entries: [{ kind: 'checkpoint', commit: null }], events: [] });
      expectSame(await runs.checkpoint(id, 'work'), aCheckpoint);

      const wrong = { type: 'user.message', data: { text: 1 } } as unknown as typeof aMessage;
      const next = { ...aCheckpoint, commit: 'next' };
      const append = runs.appendJournal(lease, key, { ...written, events: [wrong], checkpoint: next });
      await expect(append).rejects.toThrow();
      expectSame(await runs.checkpoint(id, 'work'), aCheckpoint);
      expect(await runs.journal(id, key)).toHaveLength(2);
    });

    it('is one whole one of those that are saved at once', async () => {
      await using stores = await open();
      const { id } = await runningIssue(stores);
      const lease = await claimed(stores, id);
      await atOnce(8, (index) => {
        const name = String(index);
        const checkpoint = { commit: name, object: name, patch: new Uint8Array(1_000).fill(index) };
        return stores.runs.saveCheckpoint(lease, 'work', checkpoint);
      });
      const kept = await stores.runs.checkpoint(id, 'work');
      const expected = new Uint8Array(1_000).fill(Number(kept?.commit));
      expectSame(kept, { commit: kept?.commit ?? '', object: kept?.commit ?? '', patch: expected });
    });

    it('outlives a pause and a failure, for a retry weeks later', async () => {
      await using stores = await open();
      const paused = await withCheckpoints(stores);
      await broughtToGate(stores, paused.id);
      const broken = await withCheckpoints(stores);
      await failed(stores, broken.id);
      stores.clock.advance(30 * 86_400_000);
      const from = { status: 'failed' } as const;
      applied(await stores.issues.apply({ issueId: broken.id, from, trigger: 'retried', events: [] }));
      for (const { id } of [paused, broken]) {
        expectSame(await stores.runs.checkpoint(id, 'work'), aCheckpoint);
        expectSame(await stores.runs.checkpoint(id, 'implementation'), aCheckpoint);
      }
    });

    it('is deleted by the write that ends the issue permanently, and by no other issue', async () => {
      await using stores = await open();
      const other = await withCheckpoints(stores);
      const ended = await withCheckpoints(stores);
      await cancelled(stores, ended.id);
      const published = await withCheckpoints(stores);
      const lease = await claimed(stores, published.id);
      const from = { status: 'running' } as const;
      applied(await stores.issues.apply({ issueId: published.id, from, trigger: 'published', lease, events: [] }));
      for (const { id } of [ended, published]) {
        expect(await stores.runs.checkpoint(id, 'work')).toBeNull();
        expect(await stores.runs.checkpoint(id, 'implementation')).toBeNull();
      }
      expectSame(await stores.runs.checkpoint(other.id, 'work'), aCheckpoint);
    });

    it('goes with its issue', async () => {
      await using stores = await open();
      const { id } = await withCheckpoints(stores);
      await failed(stores, id);
      expect(await stores.issues.remove(id)).toBe('removed');
      expect(await stores.runs.checkpoint(id, 'work')).toBeNull();
    });
  });
}

/** A running issue with one checkpoint of each kind. */
async function withCheckpoints(stores: StoreHarness): Promise<Issue> {
  const issue = await runningIssue(stores);
  const lease = await claimed(stores, issue.id);
  await stores.runs.saveCheckpoint(lease, 'implementation', aCheckpoint);
  await stores.runs.saveCheckpoint(lease, 'work', aCheckpoint);
  await stores.runs.release(lease);
  return issue;
}

function expectSame(actual: Checkpoint | null, expected: Checkpoint): void {
  expect(actual).toMatchObject({ commit: expected.commit, object: expected.object });
  expect(Buffer.from(actual?.patch ?? []).equals(expected.patch)).toBe(true);
}
