import { type IssueChange, isTerminal } from '@sluice/core/issue';
import { describe, expect, it } from 'vitest';
import { aGate, aPlan } from '../builder/a-plan.ts';
import { applied, broughtToGate, claimed, decision, eventsOf, failed, runningIssue } from './pipeline-moves.ts';
import { atOnce, type OpenStores, tally } from './store-harness.ts';

/** What `IssueStore.apply` promises. */
export function issueChangeContract(open: OpenStores): void {
  describe('a change', () => {
    it('takes effect for exactly one of twelve writers at once', async () => {
      await using stores = await open();
      const { id, userId } = await runningIssue(stores);
      await broughtToGate(stores, id);
      const before = (await eventsOf(stores, id)).length;
      const outcomes = await atOnce(12, (index) => stores.issues.apply(decision(id, { userId, index })));
      expect(tally(outcomes)).toEqual({ applied: 1, stale: 11 });
      const told = (await eventsOf(stores, id)).slice(before);
      expect(told.map(({ seq, type }) => [seq, type])).toEqual([
        [before + 1, 'review.decided'],
        [before + 2, 'issue.status'],
      ]);
    });

    it('comes back with the plan that it writes', async () => {
      await using stores = await open();
      const { id: issueId } = await runningIssue(stores);
      const lease = await claimed(stores, issueId);
      const [plan, from] = [aPlan({ revision: 1 }), { status: 'running' }] as const;
      const trigger = 'plan_completed';
      const after = await stores.issues.apply({ issueId, from, trigger, lease, plan, events: [] });
      expect(applied(after)).toMatchObject({ status: 'human_review', plan });
    });

    it('writes all its parts and comes back as it then stands', async () => {
      await using stores = await open();
      const { id } = await runningIssue(stores);
      stores.clock.advance(5_000);
      const atGate = await broughtToGate(stores, id);
      expect(atGate).toMatchObject({
        status: 'awaiting_approval',
        stage: 'human_review',
        plan: { revision: 1 },
        gate: { kind: 'plan', revision: 1 },
        updatedAt: stores.clock.now(),
      });
      expect(await stores.issues.get(id)).toEqual(atGate);
      expect((await eventsOf(stores, id)).slice(2).map(({ type, data }) => [type, data])).toMatchObject([
        ['plan.created', { plan: { revision: 1 } }],
        ['issue.status', { from: 'running', to: 'human_review', stage: 'human_review' }],
        ['review.requested', { revision: 1 }],
        ['issue.status', { from: 'human_review', to: 'awaiting_approval', stage: 'human_review' }],
      ]);
      const hint = { issueId: id, userId: atGate.userId, repoId: atGate.repoId, seq: atGate.lastSeq };
      expect(stores.heard.events.at(-1)).toEqual({ ...hint, epoch: 1 }); // of the issue's first lease
    });

    it('whose gate was written before gates were bound to anything is read as one that is bound to nothing', async () => {
      await using stores = await open();
      const { id } = await runningIssue(stores);
      const unbound = { plan_hash: undefined, base_commit: undefined, head_commit: undefined };
      await broughtToGate(stores, id, { ...aGate(), ...unbound } as never);
      expect((await stores.issues.get(id))?.gate).toStrictEqual(aGate());
    });

    it('keeps every revision of the plan and shows the newest', async () => {
      await using stores = await open();
      const { id, userId } = await runningIssue(stores);
      await broughtToGate(stores, id);
      applied(await stores.issues.apply({ ...decision(id, { userId, index: 0 }), trigger: 'guidance_given' }));
      expect((await broughtToGate(stores, id)).plan?.revision).toBe(2);
      expect((await stores.issues.plans(id)).map(({ revision }) => revision)).toEqual([1, 2]);
    });

    it('is stale when the plan is not the one that was seen', async () => {
      await using stores = await open();
      const { id, userId } = await runningIssue(stores);
      await broughtToGate(stores, id);
      const change = decision(id, { userId, index: 0 });
      const seen = { ...change, from: { ...change.from, planRevision: 2 } };
      expect(await stores.issues.apply(seen)).toEqual({ kind: 'stale' });
    });

    it('makes an issue runnable again after a decision, with an event', async () => {
      await using stores = await open();
      const { id, userId } = await runningIssue(stores);
      await broughtToGate(stores, id);
      stores.heard.runnable.length = 0;
      applied(await stores.issues.apply(decision(id, { userId, index: 0 })));
      expect(stores.heard.runnable).toEqual([id]);
      expect(await stores.runs.claimable(10)).toEqual([id]);
    });

    it('writes no status event when neither status nor queueing changes', async () => {
      await using stores = await open();
      const { id } = await runningIssue(stores);
      const lease = await claimed(stores, id);
      const before = await eventsOf(stores, id);
      const change = { issueId: id, from: { status: 'running' }, trigger: 'stage_advanced', lease } as const;
      applied(await stores.issues.apply({ ...change, set: { stage: 'index' }, events: [] }));
      expect(await eventsOf(stores, id)).toEqual(before);
    });

    it('that the machine does not know is a bug and writes nothing', async () => {
      await using stores = await open();
      const issue = await runningIssue(stores);
      const change = { issueId: issue.id, from: { status: 'running' }, events: [] } as const;
      await expect(stores.issues.apply({ ...change, trigger: 'plan_approved' })).rejects.toThrow(/plan_approved/);
      await expect(
        stores.issues.apply({ ...change, from: { status: 'pending' }, trigger: 'admitted' }),
      ).rejects.toThrow(/admitted/);
      expect(await stores.issues.get(issue.id)).toEqual(issue);
    });

    it.each([
      ['an event that is not in the catalogue', { events: [{ type: 'user.message', data: { text: 1 } }] }],
      ['a plan whose revision exists', {}],
      ['a stage run that was never begun', { ended: { ...anAttemptEnd, attempt: 7 } }],
    ] as const)('that fails half-way leaves nothing behind: %s', async (_, part) => {
      await using stores = await open();
      const { id } = await runningIssue(stores);
      const { plan } = await broughtToGate(stores, id);
      const before = [await stores.issues.get(id), await eventsOf(stores, id), await stores.issues.plans(id)];
      const told = stores.heard.events.length;
      const change = {
        issueId: id,
        from: { status: 'awaiting_approval' },
        trigger: 'plan_approved',
        set: { stage: 'implement', gate: null },
        plan: plan ?? undefined,
        events: [],
        ...part,
      } as IssueChange;
      await expect(stores.issues.apply(change)).rejects.toThrow();
      expect([await stores.issues.get(id), await eventsOf(stores, id), await stores.issues.plans(id)]).toEqual(before);
      expect(stores.heard.events).toHaveLength(told);
    });

    it('ends an issue: finished, its slot and its repository free', async () => {
      await using stores = await open({ maxActivePipelines: 1 });
      const issue = await runningIssue(stores);
      stores.clock.advance(1_000);
      const ended = await failed(stores, issue.id);
      expect(isTerminal(ended.status)).toBe(true);
      expect(ended).toMatchObject({ finishedAt: stores.clock.now(), error: { stage: 'test' } });
      expect((await stores.repos.get(issue.repoId))?.activeIssueId).toBeNull();
      expect((await runningIssue(stores)).status).toBe('running');
      expect(await stores.runs.claim(issue.id, { owner: 'worker-2', ttlMs: 1_000 })).toBeNull();
    });

    it('carries its reason into the status event', async () => {
      await using stores = await open();
      const { id } = await runningIssue(stores);
      await broughtToGate(stores, id);
      const detail = 'The gate expired.';
      applied(
        await stores.issues.apply({
          issueId: id,
          from: { status: 'awaiting_approval', planRevision: 1 },
          trigger: 'gate_expired',
          set: { gate: null, error: { stage: 'human_review', detail } },
          events: [],
          detail,
        }),
      );
      expect((await eventsOf(stores, id)).at(-1)).toMatchObject({ data: { to: 'cancelled', detail } });
    });
  });
}

const anAttemptEnd = {
  stage: 'plan',
  round: 1,
  attempt: 1,
  outcome: 'completed',
  usage: { input_tokens: 0, output_tokens: 0, cost_usd: 0 },
  detail: null,
} as const;
