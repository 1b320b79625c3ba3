import type { JournalEntry, Lease, StepOutcome, WorkspaceDiff } from '@sluice/core';
import { describe, expect, it, vi } from 'vitest';
import { newId } from '../builder/ids.ts';
import { applied, broughtToGate, cancelled, claimed, eventsOf, failed, runningIssue } from './pipeline-moves.ts';
import { atOnce, newIssueOn, type OpenStores, registeredRepo, type StoreHarness } from './store-harness.ts';

const SHORT_MS = 1;
const LONG_MS = 60_000;

/** What a `RunStore` promises, on any database. */
export function runStoreContract(name: string, open: OpenStores): void {
  describe(`runs on ${name}`, () => {
    describe('a lease', () => {
      it('goes to exactly one of twelve workers who ask at once', async () => {
        await using stores = await open();
        const { id } = await runningIssue(stores);
        const claims = await atOnce(12, (worker) => stores.runs.claim(id, `worker-${worker}`, LONG_MS));
        const [won, ...others] = claims.filter((claim) => claim !== null);
        expect(others).toEqual([]);
        expect(won?.issue).toEqual(await stores.issues.get(id));
        expect(won?.lease.epoch).toBeGreaterThan(0);
      });

      it('is given for what a worker may drive alone', async () => {
        await using stores = await open();
        const repo = await registeredRepo(stores);
        const pending = applied(await stores.issues.create(newIssueOn(repo), { queue: false }));
        const paused = await runningIssue(stores);
        await broughtToGate(stores, paused.id);
        expect(await stores.runs.claim(pending.id, 'worker-1', LONG_MS)).toBeNull();
        expect(await stores.runs.claim(paused.id, 'worker-1', LONG_MS)).toBeNull();
        expect(await stores.runs.claim(newId(), 'worker-1', LONG_MS)).toBeNull();
      });

      it('can be taken over when it ran out, under a higher epoch', async () => {
        await using stores = await open();
        const { id } = await runningIssue(stores);
        const first = await claimed(stores, id, SHORT_MS);
        const second = await vi.waitUntil(() => stores.runs.claim(id, 'worker-2', LONG_MS));
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
        expect(await stores.runs.claim(id, 'worker-2', LONG_MS)).toBeNull();
      });

      it('that was let go of can be claimed at once, and whoever drives is told', async () => {
        await using stores = await open();
        const { id } = await runningIssue(stores);
        const lease = await claimed(stores, id);
        expect(await stores.runs.release(lease)).toBe(true);
        expect(stores.heard.runnable).toEqual([id, id]);
        expect(await stores.runs.release(lease)).toBe(false);
        expect(await stores.runs.claim(id, 'worker-2', LONG_MS)).not.toBeNull();
      });

      it('that was let go of for later can be claimed then', async () => {
        await using stores = await open();
        const { id } = await runningIssue(stores);
        expect(await stores.runs.nextDueInMs()).toBeNull();
        await stores.runs.release(await claimed(stores, id), LONG_MS);
        expect(stores.heard.runnable).toEqual([id]);
        expect(await stores.runs.claim(id, 'worker-2', LONG_MS)).toBeNull();
        expect(await stores.runs.claimable(10)).toEqual([]);
        const dueInMs = await stores.runs.nextDueInMs();
        expect(dueInMs).toBeGreaterThan(LONG_MS / 2);
        expect(dueInMs).toBeLessThanOrEqual(LONG_MS);

        const other = await runningIssue(stores);
        await stores.runs.release(await claimed(stores, other.id), SHORT_MS);
        expect(await stores.runs.nextDueInMs()).toBeLessThanOrEqual(SHORT_MS);
        await vi.waitUntil(() => stores.runs.claim(other.id, 'worker-2', LONG_MS));
        expect(await stores.runs.nextDueInMs()).toBeGreaterThan(LONG_MS / 2);
      });

      it('ends with all others when the only process starts anew', async () => {
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
        expect(await stores.runs.record(lease, [aMessage])).toBe(false);
      });
    });

    describe('fencing', () => {
      it.each(Object.keys(fencedWrites))('refuses %s under an older epoch and writes nothing', async (write) => {
        await using stores = await open();
        const { id } = await runningIssue(stores);
        const old = await claimed(stores, id, SHORT_MS);
        await stores.runs.beginStep(old, { stage: 'plan', round: 1, agent: 'planner' });
        await vi.waitUntil(() => stores.runs.claim(id, old.owner, LONG_MS));
        await expectRefusal(stores, { lease: old, write });
      });

      it.each(Object.keys(fencedWrites))('refuses %s of a worker whose issue was cancelled', async (write) => {
        await using stores = await open();
        const { id } = await runningIssue(stores);
        const lease = await claimed(stores, id);
        await stores.runs.beginStep(lease, { stage: 'plan', round: 1, agent: 'planner' });
        await cancelled(stores, id);
        await expectRefusal(stores, { lease, write });
      });

      it.each(Object.keys(fencedWrites))('refuses %s of another owner with the same epoch', async (write) => {
        await using stores = await open();
        const { id } = await runningIssue(stores);
        const lease = await claimed(stores, id);
        await stores.runs.beginStep(lease, { stage: 'plan', round: 1, agent: 'planner' });
        await expectRefusal(stores, { lease: { ...lease, owner: 'worker-2' }, write });
      });

      it.each(Object.keys(fencedWrites))('lets %s through while the lease is held', async (write) => {
        await using stores = await open();
        const { id } = await runningIssue(stores);
        const lease = await claimed(stores, id);
        await stores.runs.beginStep(lease, { stage: 'plan', round: 1, agent: 'planner' });
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

    describe('a stage run', () => {
      const plan = { stage: 'plan', round: 1, agent: 'planner' } as const;

      it('is numbered by attempts within its round, and told of', async () => {
        await using stores = await open();
        const { id } = await runningIssue(stores);
        const lease = await claimed(stores, id);
        const { runs, clock } = stores;
        expect(await runs.beginStep(lease, plan)).toEqual({
          stage: 'plan',
          round: 1,
          attempt: 1,
          startedAt: clock.now(),
        });
        expect(await runs.failStep(lease, aStepEnd, aStageFailure)).toBe(true);
        expect((await runs.beginStep(lease, plan))?.attempt).toBe(2);
        expect((await runs.beginStep(lease, { ...plan, round: 2 }))?.attempt).toBe(1);
        expect((await eventsOf(stores, id)).slice(2).map(({ type, data }) => [type, data])).toMatchObject([
          ['stage.started', { stage: 'plan', agent: 'planner', attempt: 1 }],
          ['stage.failed', { attempt: 1, will_retry: true }],
          ['stage.started', { attempt: 2 }],
          ['stage.started', { attempt: 1 }],
        ]);
        expect((await stores.issues.get(id))?.status).toBe('running');
      });

      it('ends once', async () => {
        await using stores = await open();
        const { id } = await runningIssue(stores);
        const lease = await claimed(stores, id);
        await stores.runs.beginStep(lease, plan);
        await stores.runs.failStep(lease, aStepEnd, aStageFailure);
        const before = await eventsOf(stores, id);
        await expect(stores.runs.failStep(lease, aStepEnd, aStageFailure)).rejects.toThrow(/not open/);
        expect(await eventsOf(stores, id)).toEqual(before);
      });

      it('that a dead worker left open is over when the next one begins', async () => {
        await using stores = await open();
        const { id } = await runningIssue(stores);
        await stores.runs.beginStep(await claimed(stores, id, SHORT_MS), plan);
        const next = await vi.waitUntil(() => stores.runs.claim(id, 'worker-2', LONG_MS));
        expect((await stores.runs.beginStep(next.lease, plan))?.attempt).toBe(2);
        await expect(stores.runs.failStep(next.lease, aStepEnd, aStageFailure)).rejects.toThrow(/not open/);
      });

      it('is shown with all others in the order in which they began, and how each stands', async () => {
        await using stores = await open();
        const { id } = await runningIssue(stores);
        const { runs, clock } = stores;
        expect(await runs.steps(id)).toEqual([]);
        const lease = await claimed(stores, id);
        const startedAt = clock.now();
        await runs.beginStep(lease, plan);
        clock.advance(5_000);
        await runs.failStep(lease, aStepEnd, aStageFailure);
        const finishedAt = clock.now();
        await runs.beginStep(lease, plan); // cut off by the next one
        await runs.beginStep(lease, { stage: 'implement', round: 2, agent: 'coder' });
        const { usage, detail } = aStepEnd;
        const attempt = { ...plan, attempt: 1 };
        expect(await runs.steps(id)).toEqual([
          { ...attempt, startedAt, finishedAt, outcome: 'failed', usage, detail },
          {
            ...attempt,
            attempt: 2,
            startedAt: finishedAt,
            finishedAt,
            outcome: 'interrupted',
            usage: null,
            detail: null,
          },
          {
            ...{ stage: 'implement', round: 2, attempt: 1, agent: 'coder', startedAt: finishedAt, finishedAt: null },
            ...{ outcome: 'running', usage: null, detail: null },
          },
        ]);
        const other = await runningIssue(stores);
        expect(await runs.steps(other.id)).toEqual([]);

        await cancelled(stores, id);
        expect((await runs.steps(id)).map(({ outcome }) => outcome)).toEqual(['failed', 'interrupted', 'interrupted']);
      });

      it('closes in the same write as the change that it leads to', async () => {
        await using stores = await open();
        const { id } = await runningIssue(stores);
        const lease = await claimed(stores, id);
        await stores.runs.beginStep(lease, plan);
        const change = {
          issueId: id,
          from: { status: 'running' },
          trigger: 'stage_advanced',
          lease,
          set: { stage: 'implement' },
          step: { ...aStepEnd, outcome: 'completed' },
          events: [],
        } as const;
        expect(applied(await stores.issues.apply(change)).stage).toBe('implement');
        await expect(stores.issues.apply(change)).rejects.toThrow(/not open/);
      });
    });

    describe('a journal', () => {
      const key = { stage: 'implement', round: 1 } as const;
      const entries: JournalEntry[] = [
        { kind: 'message', message: { role: 'assistant', content: [{ type: 'text', text: 'I write.' }] } },
        { kind: 'begin', callId: 'call-1' },
        { kind: 'result', callId: 'call-1', message: { ok: true, lines: [1, null, 'x'] } },
        { kind: 'usage', usage: { input_tokens: 1, output_tokens: 2, cost_usd: null } },
        { kind: 'done', output: 'text' },
      ];

      it('is read in the order in which it was written, apart for each round', async () => {
        await using stores = await open();
        const { id } = await runningIssue(stores);
        const lease = await claimed(stores, id);
        for (const entry of entries) await stores.runs.appendJournal(lease, key, { entries: [entry], events: [] });
        await stores.runs.appendJournal(lease, { ...key, round: 2 }, { entries: entries.slice(0, 2), events: [] });
        expect(await stores.runs.journal(id, key)).toEqual(entries);
        expect(await stores.runs.journal(id, { ...key, round: 2 })).toEqual(entries.slice(0, 2));
        expect(await stores.runs.journal(id, { stage: 'plan', round: 1 })).toEqual([]);
      });

      it('is written together with its events, or not at all', async () => {
        await using stores = await open();
        const { id } = await runningIssue(stores);
        const lease = await claimed(stores, id);
        expect(await stores.runs.appendJournal(lease, key, { entries, events: [aMessage, aMessage] })).toBe(true);
        const before = await eventsOf(stores, id);
        expect(before.slice(2).map(({ type }) => type)).toEqual(['user.message', 'user.message']);
        const wrong = { type: 'user.message', data: { text: 1 } } as unknown as typeof aMessage;
        await expect(stores.runs.appendJournal(lease, key, { entries, events: [aMessage, wrong] })).rejects.toThrow();
        expect(await stores.runs.journal(id, key)).toEqual(entries);
        expect(await eventsOf(stores, id)).toEqual(before);
      });

      it('takes more entries at once than one statement can bind', async () => {
        await using stores = await open();
        const { id } = await runningIssue(stores);
        const many = Array.from({ length: 2_500 }, (_, count): JournalEntry => ({ kind: 'begin', callId: `${count}` }));
        await stores.runs.appendJournal(await claimed(stores, id), key, { entries: many, events: [] });
        expect(await stores.runs.journal(id, key)).toEqual(many);
      });
    });

    describe('the diff', () => {
      it('is the last one that was saved, and told of when a reader would see a change', async () => {
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
        const chunk = { command: 'npm test', stream: 'stderr' } as const;
        await atOnce(6, (index) =>
          stores.runs.appendLog(lease, [
            { ...chunk, text: `${index}a` },
            { ...chunk, text: `${index}b` },
          ]),
        );
        const lines = await stores.runs.log(id, { after: 0, limit: 100 });
        expect(lines.map(({ seq }) => seq)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
        expect(lines[0]).toEqual({ ...chunk, seq: 1, text: expect.any(String), at: stores.clock.now() });
        expect(await stores.runs.log(id, { after: 3, limit: 2 })).toEqual(lines.slice(3, 5));
      });
    });

    describe('upkeep', () => {
      it('finds the gates that nobody answered in time', async () => {
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

      it('tells whose workspace may be needed again', async () => {
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
    });
  });
}

const aMessage = { type: 'user.message', data: { text: 'Look at sum, too.' } } as const;
const aDiff: WorkspaceDiff = {
  base_commit: 'ba5e',
  head_commit: null,
  files: [{ path: 'a', additions: 1, deletions: 0 }],
  diff: '+one\n',
};
const aStepEnd: StepOutcome = {
  stage: 'plan',
  round: 1,
  attempt: 1,
  outcome: 'failed',
  usage: { input_tokens: 1, output_tokens: 1, cost_usd: null },
  detail: 'The provider is overloaded.',
};
const aStageFailure = {
  type: 'stage.failed',
  data: {
    stage: 'plan',
    agent: 'planner',
    attempt: 1,
    duration_ms: 1,
    detail: 'The provider is overloaded.',
    will_retry: true,
  },
} as const;

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
  beginStep: async ({ runs }, lease) =>
    (await runs.beginStep(lease, { stage: 'plan', round: 1, agent: 'planner' })) !== null,
  failStep: ({ runs }, lease) => runs.failStep(lease, aStepEnd, aStageFailure),
  record: ({ runs }, lease) => runs.record(lease, [aMessage]),
  appendJournal: ({ runs }, lease) =>
    runs.appendJournal(
      lease,
      { stage: 'plan', round: 1 },
      { entries: [{ kind: 'begin', callId: '1' }], events: [aMessage] },
    ),
  saveDiff: ({ runs }, lease) => runs.saveDiff(lease, aDiff),
  appendLog: ({ runs }, lease) => runs.appendLog(lease, [{ command: 'ls', stream: 'stdout', text: 'a' }]),
};

async function expectRefusal(stores: StoreHarness, attempt: { lease: Lease; write: string }): Promise<void> {
  const { lease, write } = attempt;
  const { issueId } = lease;
  const look = async () => ({
    issue: await stores.issues.get(issueId),
    events: await eventsOf(stores, issueId),
    journal: await stores.runs.journal(issueId, { stage: 'plan', round: 1 }),
    diff: await stores.runs.diff(issueId),
    log: await stores.runs.log(issueId, { after: 0, limit: 10 }),
    claimable: await stores.runs.claimable(10),
    told: stores.heard.events.length + stores.heard.runnable.length,
  });
  const before = await look();
  expect(await fencedWrites[write]?.(stores, lease)).toBe(false);
  expect(await look()).toEqual(before);
}
