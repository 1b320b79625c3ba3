import { describe, expect, it } from 'vitest';
import { newId } from '../builder/ids.ts';
import { untilFound } from '../wait/until.ts';
import { checkpointContract } from './checkpoint.contract.ts';
import { fencingContract } from './fencing.contract.ts';
import { journalContract } from './journal.contract.ts';
import { noteContract } from './note.contract.ts';
import { applied, broughtToGate, cancelled, claimed, eventsOf, failed, runningIssue } from './pipeline-moves.ts';
import { aDiff, aMessage, LONG_MS, SHORT_MS } from './run-samples.ts';
import { stageRunContract } from './stage-run.contract.ts';
import { atOnce, newIssueOn, type OpenStores, registeredRepo } from './store-harness.ts';

/** What a `RunStore` promises, on any database. */
export function runStoreContract(name: string, open: OpenStores): void {
  describe(`runs on ${name}`, () => {
    describe('a lease', () => {
      it('goes to exactly one of twelve workers who ask at once', async () => {
        await using stores = await open();
        const { id } = await runningIssue(stores);
        const claims = await atOnce(12, (worker) =>
          stores.runs.claim(id, { owner: `worker-${worker}`, ttlMs: LONG_MS }),
        );
        const [won, ...others] = claims.filter((claim) => claim !== null);
        expect(others).toEqual([]);
        expect(won?.issue).toEqual(await stores.issues.get(id));
        expect(won?.lease.epoch).toBeGreaterThan(0);
      });

      it('is granted for issues that a worker can execute', async () => {
        await using stores = await open();
        const repo = await registeredRepo(stores);
        const pending = applied(await stores.issues.create(newIssueOn(repo), { queue: false }));
        const paused = await runningIssue(stores);
        await broughtToGate(stores, paused.id);
        expect(await stores.runs.claim(pending.id, { owner: 'worker-1', ttlMs: LONG_MS })).toBeNull();
        expect(await stores.runs.claim(paused.id, { owner: 'worker-1', ttlMs: LONG_MS })).toBeNull();
        expect(await stores.runs.claim(newId(), { owner: 'worker-1', ttlMs: LONG_MS })).toBeNull();
      });

      it('can be taken over when it ran out, under a higher epoch', async () => {
        await using stores = await open();
        const { id } = await runningIssue(stores);
        const first = await claimed(stores, id, SHORT_MS);
        const second = await untilFound(() => stores.runs.claim(id, { owner: 'worker-2', ttlMs: LONG_MS }));
        expect(second.lease.epoch).toBeGreaterThan(first.epoch);
        expect(await stores.runs.renew(first, LONG_MS)).toBe(false);
        expect(await stores.runs.renew(second.lease, LONG_MS)).toBe(true);
      });

      it('that is renewed is not taken over', async () => {
        await using stores = await open();
        const { id } = await runningIssue(stores);
        const lease = await claimed(stores, id, SHORT_MS);
        expect(await stores.runs.renew(lease, LONG_MS)).toBe(true);
        expect(await stores.runs.claimable(10)).toEqual([]);
        expect(await stores.runs.claim(id, { owner: 'worker-2', ttlMs: LONG_MS })).toBeNull();
      });

      it('that was released can be claimed at once, and workers are notified', async () => {
        await using stores = await open();
        const { id } = await runningIssue(stores);
        const lease = await claimed(stores, id);
        expect(await stores.runs.release(lease)).toBe(true);
        expect(stores.heard.runnable).toEqual([id, id]);
        expect(await stores.runs.release(lease)).toBe(false);
        expect(await stores.runs.claim(id, { owner: 'worker-2', ttlMs: LONG_MS })).not.toBeNull();
      });

      it('that was released until later can be claimed then', async () => {
        await using stores = await open();
        const { id } = await runningIssue(stores);
        expect(await stores.runs.nextDueInMs()).toBeNull();
        await stores.runs.release(await claimed(stores, id), LONG_MS);
        expect(stores.heard.runnable).toEqual([id]);
        expect(await stores.runs.claim(id, { owner: 'worker-2', ttlMs: LONG_MS })).toBeNull();
        expect(await stores.runs.claimable(10)).toEqual([]);
        const dueInMs = await stores.runs.nextDueInMs();
        expect(dueInMs).toBeGreaterThan(LONG_MS / 2);
        expect(dueInMs).toBeLessThanOrEqual(LONG_MS);

        const other = await runningIssue(stores);
        await stores.runs.release(await claimed(stores, other.id), SHORT_MS);
        expect(await stores.runs.nextDueInMs()).toBeLessThanOrEqual(SHORT_MS);
        await untilFound(() => stores.runs.claim(other.id, { owner: 'worker-2', ttlMs: LONG_MS }));
        expect(await stores.runs.nextDueInMs()).toBeGreaterThan(LONG_MS / 2);
      });

      it('ends with all others when the only process restarts', async () => {
        await using stores = await open();
        const first = await runningIssue(stores);
        const second = await runningIssue(stores);
        const lease = await claimed(stores, first.id);
        await claimed(stores, second.id);
        expect(await stores.runs.expireLeases()).toBe(2);
        expect(await stores.runs.claimable(10)).toEqual([first.id, second.id]);
        expect(await stores.runs.claimable(1)).toEqual([first.id]);
        expect(await stores.runs.renew(lease, LONG_MS)).toBe(false);
      });

      it('covers the two writes that open a review, and ends with them', async () => {
        await using stores = await open();
        const { id } = await runningIssue(stores);
        await broughtToGate(stores, id);
        const lease = { issueId: id, owner: 'worker-1', epoch: 1 };
        expect(await stores.runs.record(lease, [aMessage])).toBeNull();
      });

      it('tells the number of the last event that was recorded under it', async () => {
        await using stores = await open();
        const { id } = await runningIssue(stores);
        const lease = await claimed(stores, id);
        const seq = await stores.runs.record(lease, [aMessage, aMessage]);
        expect((await eventsOf(stores, id)).at(-1)).toMatchObject({ type: aMessage.type, seq });
        expect(await stores.runs.record(lease, [aMessage])).toBe(Number(seq) + 1);
      });
    });

    fencingContract(open);
    stageRunContract(open);
    journalContract(open);
    noteContract(open);
    checkpointContract(open);

    describe('the diff', () => {
      it('is the last one saved, with an event when it changed', async () => {
        await using stores = await open();
        const { id } = await runningIssue(stores);
        const lease = await claimed(stores, id);
        const told = async () => (await eventsOf(stores, id)).filter(({ type }) => type === 'diff.updated').length;
        expect(await stores.runs.diff(id)).toBeNull();
        expect(await stores.runs.saveDiff(lease, aDiff)).toBe(true);
        expect(await stores.runs.diff(id)).toEqual(aDiff);
        expect(await told()).toBe(1);

        await stores.runs.saveDiff(lease, aDiff);
        const committed = { ...aDiff, head_commit: 'c0ffee' };
        await stores.runs.saveDiff(lease, committed);
        expect(await stores.runs.diff(id)).toEqual(committed);
        expect(await told()).toBe(1);

        const changed = { ...committed, diff: '+two\n\0\ud800', files: [{ path: 'a', additions: 2, deletions: 0 }] };
        await stores.runs.saveDiff(lease, changed);
        await stores.runs.saveDiff(lease, changed);
        expect(await stores.runs.diff(id)).toEqual({ ...changed, diff: '+two\n\ufffd' });
        expect(await told()).toBe(2);
        expect((await eventsOf(stores, id)).at(-1)).toMatchObject({ data: { files: changed.files } });
      });
    });

    describe('the log', () => {
      it('numbers the pieces of output without a gap and is read in pages', async () => {
        await using stores = await open();
        const { id } = await runningIssue(stores);
        const lease = await claimed(stores, id);
        const chunk = { command: 'npm test', runSeq: 1, stream: 'stderr' } as const;
        await atOnce(6, (index) =>
          stores.runs.appendLog(lease, [
            { ...chunk, text: `${index}a` },
            { ...chunk, text: `${index}b` },
          ]),
        );
        const lines = await stores.runs.log(id, { after: 0, limit: 100 });
        expect(lines.map(({ seq }) => seq)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
        expect(lines[0]).toEqual({ ...chunk, seq: 1, text: expect.any(String), leftOut: null, at: stores.clock.now() });
        expect(await stores.runs.log(id, { after: 3, limit: 2 })).toEqual(lines.slice(3, 5));
      });
    });

    describe('a gap in the log', () => {
      it('keeps how much is missing', async () => {
        await using stores = await open();
        const { id } = await runningIssue(stores);
        const gap = { command: 'yes', runSeq: 1, stream: 'stdout', text: '…' } as const;
        const leftOut = { characters: 3_000_000_000, lines: 70_000_000 };
        await stores.runs.appendLog(await claimed(stores, id), [{ ...gap, leftOut }]);
        expect(await stores.runs.log(id, { after: 0, limit: 1 })).toMatchObject([{ ...gap, leftOut }]);
      });
    });

    describe('upkeep', () => {
      it('finds expired gates', async () => {
        await using stores = await open();
        const [due, later, never] = [
          await runningIssue(stores),
          await runningIssue(stores),
          await runningIssue(stores),
        ];
        const now = stores.clock.now();
        await broughtToGate(stores, due.id, { expires_at: now.toISOString() });
        await broughtToGate(stores, later.id, { expires_at: new Date(now.getTime() + 1).toISOString() });
        await broughtToGate(stores, never.id);
        expect(await stores.runs.expiredGates(now)).toEqual([due.id]);
        expect(await stores.runs.expiredGates(new Date(now.getTime() + LONG_MS))).toEqual([due.id, later.id]);
        await cancelled(stores, due.id);
        expect(await stores.runs.expiredGates(now)).toEqual([]);
      });

      it('returns the issues whose working tree may be needed again', async () => {
        await using stores = await open();
        const running = await runningIssue(stores);
        const ended = await runningIssue(stores);
        await cancelled(stores, ended.id);
        const failedNow = await runningIssue(stores);
        await failed(stores, failedNow.id);
        const names = [running.id, ended.id, failedNow.id, 'no-issue-at-all', newId()];
        const since = stores.clock.now();
        expect([...(await stores.runs.needingWorkspace(names, since))].sort()).toEqual(
          [running.id, failedNow.id].sort(),
        );
        expect(await stores.runs.needingWorkspace(names, new Date(since.getTime() + 1))).toEqual([running.id]);
        expect(await stores.runs.needingWorkspace([], since)).toEqual([]);
      });

      it('returns the issues that a worker has claimed', async () => {
        await using stores = await open();
        const [claimed, unclaimed] = [await runningIssue(stores), await runningIssue(stores)];
        const { lease } = (await stores.runs.claim(claimed.id, { owner: 'worker', ttlMs: LONG_MS })) ?? expect.fail();
        const names = [unclaimed.id, claimed.id, 'no-issue-at-all'];
        expect(await stores.runs.leased(names)).toEqual([claimed.id]);
        await stores.runs.release(lease);
        expect(await stores.runs.leased(names)).toEqual([]);
      });
    });
  });
}
