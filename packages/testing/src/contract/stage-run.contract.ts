import type { IssueChange, Lease } from '@sluice/core/issue';
import { describe, expect, it } from 'vitest';
import { untilFound } from '../wait/until.ts';
import { applied, cancelled, claimed, eventsOf, runningIssue } from './pipeline-moves.ts';
import { aMessage, anAttemptEnd, aStageFailure, LONG_MS, SHORT_MS } from './run-samples.ts';
import { atOnce, type OpenStores } from './store-harness.ts';

/** What a store promises of the runs of an issue's stages. */
export function stageRunContract(open: OpenStores): void {
  describe('a stage run', () => {
    const plan = { stage: 'plan', round: 1, agent: 'planner' } as const;

    it('is numbered within its round, with an event', async () => {
      await using stores = await open();
      const { id } = await runningIssue(stores);
      const lease = await claimed(stores, id);
      const { runs, clock } = stores;
      expect(await runs.beginAttempt(lease, plan)).toEqual({
        stage: 'plan',
        round: 1,
        attempt: 1,
        startedAt: clock.now(),
      });
      expect(await runs.failAttempt(lease, anAttemptEnd, aStageFailure)).toBe(true);
      expect((await runs.beginAttempt(lease, plan))?.attempt).toBe(2);
      expect((await runs.beginAttempt(lease, { ...plan, round: 2 }))?.attempt).toBe(1);
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
      await stores.runs.beginAttempt(lease, plan);
      await stores.runs.failAttempt(lease, anAttemptEnd, aStageFailure);
      const before = await eventsOf(stores, id);
      await expect(stores.runs.failAttempt(lease, anAttemptEnd, aStageFailure)).rejects.toThrow(/not open/);
      expect(await eventsOf(stores, id)).toEqual(before);
    });

    it('that a dead worker left open is over when the next one begins', async () => {
      await using stores = await open();
      const { id } = await runningIssue(stores);
      await stores.runs.beginAttempt(await claimed(stores, id, SHORT_MS), plan);
      const next = await untilFound(() => stores.runs.claim(id, { owner: 'worker-2', ttlMs: LONG_MS }));
      expect((await stores.runs.beginAttempt(next.lease, plan))?.attempt).toBe(2);
      await expect(stores.runs.failAttempt(next.lease, anAttemptEnd, aStageFailure)).rejects.toThrow(/not open/);
    });

    it('begins with the claim, once of claims at the same time, and after what the last worker left open', async () => {
      await using stores = await open();
      const { runs, clock } = stores;
      const { id } = await runningIssue(stores);
      const claims = await atOnce(4, (worker) =>
        runs.claim(id, {
          owner: `worker-${worker}`,
          ttlMs: LONG_MS,
          toBegin: (issue) => ({ ...plan, agent: `the planner of ${issue.status}` }),
        }),
      );
      const [first, ...others] = claims.filter((claim) => claim !== null);
      expect(others).toEqual([]);
      if (first === undefined) throw new Error('No worker got the issue.');
      expect(first.attempt).toEqual({ stage: 'plan', round: 1, attempt: 1, startedAt: clock.now() });
      await runs.release(first.lease);
      const second = await untilFound(() => runs.claim(id, { owner: 'worker-5', ttlMs: LONG_MS, toBegin: () => plan }));
      expect(second.attempt?.attempt).toBe(2);
      expect(await runs.failAttempt(second.lease, { ...anAttemptEnd, attempt: 2 }, aStageFailure)).toBe(true);
      expect((await eventsOf(stores, id)).slice(2).map(({ type, data }) => [type, data])).toMatchObject([
        ['stage.started', { stage: 'plan', agent: 'the planner of running', attempt: 1 }],
        ['stage.started', { attempt: 2 }],
        ['stage.failed', {}],
      ]);
      expect((await runs.attempts(id)).map(({ outcome }) => outcome)).toEqual(['interrupted', 'failed']);
    });

    it('does not begin with a claim that names none', async () => {
      await using stores = await open();
      const { id } = await runningIssue(stores);
      const claimed = await stores.runs.claim(id, { owner: 'worker', ttlMs: LONG_MS, toBegin: () => null });
      expect(claimed?.attempt).toBeNull();
      expect((await eventsOf(stores, id)).map(({ type }) => type)).not.toContain('stage.started');
      expect(await stores.runs.attempts(id)).toEqual([]);
    });

    it('is shown with all others in the order in which they began, and how each stands', async () => {
      await using stores = await open();
      const { id } = await runningIssue(stores);
      const { runs, clock } = stores;
      expect(await runs.attempts(id)).toEqual([]);
      const lease = await claimed(stores, id);
      const startedAt = clock.now();
      await runs.beginAttempt(lease, plan);
      clock.advance(5_000);
      await runs.failAttempt(lease, anAttemptEnd, aStageFailure);
      const finishedAt = clock.now();
      await runs.beginAttempt(lease, plan); // cut off by the next one
      await runs.beginAttempt(lease, { stage: 'implement', round: 2, agent: 'coder' });
      const { usage, detail } = anAttemptEnd;
      const attempt = { ...plan, attempt: 1 };
      expect(await runs.attempts(id)).toEqual([
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
      expect(await runs.attempts(other.id)).toEqual([]);

      await cancelled(stores, id);
      expect((await runs.attempts(id)).map(({ outcome }) => outcome)).toEqual(['failed', 'interrupted', 'interrupted']);
    });

    it('closes in the same write as the change that it leads to', async () => {
      await using stores = await open();
      const { id } = await runningIssue(stores);
      const lease = await claimed(stores, id);
      await stores.runs.beginAttempt(lease, plan);
      const change = advance(lease, { set: { stage: 'implement' } });
      expect(applied(await stores.issues.apply(change)).stage).toBe('implement');
      await expect(stores.issues.apply(change)).rejects.toThrow(/not open/);
    });

    it('begins in the same write as the one before it ends', async () => {
      await using stores = await open();
      const { id } = await runningIssue(stores);
      const { runs, issues, clock } = stores;
      const lease = await claimed(stores, id);
      const begin = { stage: 'implement', round: 2, agent: 'coder' } as const;
      const change = advance(lease, { set: { stage: 'implement' }, begin, events: [aMessage] });
      await runs.beginAttempt(lease, begin);
      await runs.beginAttempt(lease, plan); // cuts that one off
      const outcome = await issues.apply(change);
      const attempt = { stage: 'implement', round: 2, attempt: 2, startedAt: clock.now() };
      expect(outcome).toMatchObject({ kind: 'applied', issue: { stage: 'implement' }, attempt });
      const events = await eventsOf(stores, id);
      expect(events.slice(-2)).toMatchObject([
        { type: 'user.message' },
        { type: 'stage.started', data: { stage: 'implement', agent: 'coder', attempt: 2 } },
      ]);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      expect(applied(outcome).lastSeq).toBe(events.length);
      expect((await runs.attempts(id)).map(({ stage, outcome }) => [stage, outcome])).toEqual([
        ['implement', 'interrupted'],
        ['plan', 'completed'],
        ['implement', 'running'],
      ]);
      await expect(issues.apply(change)).rejects.toThrow(/not open/);
      const attempts = await runs.attempts(id);
      const stale = {
        ...change,
        ended: { ...change.ended, stage: 'implement', round: 2 },
        lease: { ...lease, epoch: 99 },
      };
      expect(await issues.apply({ ...stale, ended: { ...stale.ended, attempt: 2 } } as never)).toEqual({
        kind: 'stale',
      });
      expect(await eventsOf(stores, id)).toEqual(events);
      expect(await runs.attempts(id)).toEqual(attempts);
    });

    it('begins with a change only where a drive goes on from another one', async () => {
      await using stores = await open();
      const { id } = await runningIssue(stores);
      const lease = await claimed(stores, id);
      await stores.runs.beginAttempt(lease, plan);
      const change = advance(lease, { begin: plan });
      const { lease: _lease, ...fromOutside } = change;
      const { ended: _ended, ...fromNowhere } = change;
      for (const wrong of [fromOutside, fromNowhere, { ...change, trigger: 'gave_up' } as const]) {
        await expect(stores.issues.apply(wrong)).rejects.toThrow(/follows another one/);
      }
    });
  });
}

/** A change that ends the stage that a lease's holder runs. */
function advance<Rest extends Partial<IssueChange>>(lease: Lease, rest: Rest) {
  return {
    issueId: lease.issueId,
    from: { status: 'running' },
    trigger: 'stage_advanced',
    lease,
    ended: { ...anAttemptEnd, outcome: 'completed' },
    events: [],
    ...rest,
  } as const;
}
