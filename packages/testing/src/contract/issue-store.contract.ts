import { type Issue, type IssueChange, isTerminal } from '@sluice/core';
import { describe, expect, it } from 'vitest';
import { aGate, aPlan } from '../builder/a-plan.ts';
import { newId } from '../builder/ids.ts';
import { admissionContract } from './admission.contract.ts';
import { anyOrderContract } from './any-order.contract.ts';
import { editContract } from './edit.contract.ts';
import { fairQueueContract } from './fair-queue.contract.ts';
import { gateSlotContract } from './gate-slot.contract.ts';
import { issueListContract } from './issue-list.contract.ts';
import { lineForRepoContract } from './line-for-repo.contract.ts';
import {
  applied,
  broughtToGate,
  cancelled,
  claimed,
  eventsOf,
  failed,
  replayStatus,
  runningIssue,
} from './pipeline-moves.ts';
import { atOnce, newIssueOn, type OpenStores, registeredRepo, tally } from './store-harness.ts';

const NO_SUCH = 'ffffffff-ffff-7fff-8fff-ffffffffffff';

/** What an `IssueStore` promises, on any database. */
export function issueStoreContract(name: string, open: OpenStores): void {
  describe(`issues on ${name}`, () => {
    describe('an issue', () => {
      it('is written as it was given and read as it was written', async () => {
        await using stores = await open();
        const repo = await registeredRepo(stores);
        const given = newIssueOn(repo, { labels: ['bug', 'ui'], origin: 'codehost', baseBranch: 'next' });
        const written = applied(await stores.issues.create(given, { queue: false }));
        expect(written).toMatchObject({
          ...given,
          status: 'pending',
          stage: null,
          queuedAt: null,
          queuePosition: null,
          usage: { input_tokens: 0, output_tokens: 0, cost_usd: 0 },
          createdAt: stores.clock.now(),
          lastSeq: 1,
        });
        expect(await stores.issues.get(given.id)).toEqual(written);
        expect((await eventsOf(stores, given.id)).map(({ type }) => type)).toEqual(['issue.created']);
        expect(stores.heard).toEqual({
          events: [{ issueId: given.id, userId: given.userId, seq: 1 }],
          runnable: [],
        });
      });

      it('that is not there is null', async () => {
        await using stores = await open();
        expect(await stores.issues.get(NO_SUCH as Issue['id'])).toBeNull();
      });

      it('removes NUL and lone surrogates, which no database can store', async () => {
        await using stores = await open();
        const repo = await registeredRepo(stores);
        const dirty = { title: 'a\0b\ud800c', body: '\udfff\0', labels: ['x\0\ud83d'] };
        const clean = { title: 'ab\ufffdc', body: '\ufffd', labels: ['x\ufffd'] };
        const { id } = applied(await stores.issues.create(newIssueOn(repo, dirty), { queue: true }));
        expect(await stores.issues.get(id)).toMatchObject(clean);
        const lease = await claimed(stores, id);
        const input = { 'k\0\ud800': ['\0v', { deep: '\udc00 \u{1f600} \\u0000' }] };
        await stores.runs.record(lease, [
          { type: 'agent.tool_call', data: { agent: 'coder', call_id: '1', tool: 'write', input } },
        ]);
        const events = await eventsOf(stores, id);
        expect(events[0]).toMatchObject({ data: { issue: clean } });
        expect(events.at(-1)).toMatchObject({
          data: { input: { 'k\ufffd': ['v', { deep: '\ufffd \u{1f600} \\u0000' }] } },
        });
      });
    });

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
        const hint = { issueId: id, userId: atGate.userId, seq: atGate.lastSeq };
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
        ['a stage run that was never begun', { step: { ...aStepEnd, attempt: 7 } }],
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
        expect([await stores.issues.get(id), await eventsOf(stores, id), await stores.issues.plans(id)]).toEqual(
          before,
        );
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
        const detail = 'Nobody decided the plan.';
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

    describe('the events', () => {
      it('of twenty writers at once have no gap and no repeat, and each writer’s stand together', async () => {
        await using stores = await open();
        const { id } = await runningIssue(stores);
        const lease = await claimed(stores, id);
        await atOnce(20, (writer) =>
          stores.runs.record(
            lease,
            ['a', 'b', 'c'].map((text) => ({ type: 'user.message', data: { text: `${writer}${text}` } })),
          ),
        );
        const events = await eventsOf(stores, id);
        expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 62 }, (_, index) => index + 1));
        const texts = events.slice(2).map(({ data }) => ('text' in data ? data.text : ''));
        for (let start = 0; start < texts.length; start += 3) {
          const writer = texts[start]?.slice(0, -1);
          expect(texts.slice(start, start + 3)).toEqual([`${writer}a`, `${writer}b`, `${writer}c`]);
        }
        expect((await stores.issues.get(id))?.lastSeq).toBe(62);
      });

      it('are read in pages, after the last one that was seen', async () => {
        await using stores = await open();
        const { id } = await runningIssue(stores);
        await broughtToGate(stores, id);
        const all = await eventsOf(stores, id);
        expect(await stores.issues.events(id, { after: 2, limit: 3 })).toEqual(all.slice(2, 5));
        expect(await stores.issues.events(id, { after: all.length, limit: 3 })).toEqual([]);
        expect(all[0]).toMatchObject({ seq: 1, issue_id: id, at: stores.clock.now().toISOString() });
      });

      it('lead to the status that the issue has, by every way through the machine', async () => {
        await using stores = await open({ maxActivePipelines: 1 });
        const first = await runningIssue(stores);
        const waiting = await runningIssue(stores);
        await broughtToGate(stores, first.id);
        applied(
          await stores.issues.apply({
            ...decision(first.id, { userId: first.userId, index: 0 }),
            trigger: 'guidance_given',
          }),
        );
        await failed(stores, first.id);
        await cancelled(stores, waiting.id);
        applied(
          await stores.issues.apply({ issueId: first.id, from: { status: 'failed' }, trigger: 'retried', events: [] }),
        );
        for (const { id } of [first, waiting]) {
          expect(replayStatus(await eventsOf(stores, id))).toBe((await stores.issues.get(id))?.status);
        }
        expect((await stores.issues.get(first.id))?.status).toBe('running');
      });
    });

    describe('removal', () => {
      it('takes an ended issue with all that belongs to it', async () => {
        await using stores = await open();
        const { id } = await runningIssue(stores);
        const lease = await claimed(stores, id);
        await stores.runs.appendLog(lease, [{ command: 'ls', stream: 'stdout', text: 'a' }]);
        await stores.runs.saveDiff(lease, { base_commit: 'b', head_commit: null, files: [], diff: '' });
        await cancelled(stores, id);
        expect(await stores.issues.remove(id)).toBe('removed');
        expect(await stores.issues.get(id)).toBeNull();
        expect(await eventsOf(stores, id)).toEqual([]);
        expect(await stores.runs.log(id, { after: 0, limit: 10 })).toEqual([]);
        expect(await stores.runs.diff(id)).toBeNull();
        expect(await stores.issues.remove(id)).toBe('absent');
      });

      it('refuses one that has not ended', async () => {
        await using stores = await open();
        const running = await runningIssue(stores);
        const repo = await registeredRepo(stores);
        const pending = applied(await stores.issues.create(newIssueOn(repo), { queue: false }));
        for (const issue of [running, pending]) {
          expect(await stores.issues.remove(issue.id)).toBe('stale');
          expect(await stores.issues.get(issue.id)).toEqual(issue);
        }
        expect(await stores.issues.remove(newId())).toBe('absent');
      });
    });

    admissionContract(open);
    fairQueueContract(open);
    gateSlotContract(open);
    issueListContract(open);
    editContract(open);
    lineForRepoContract(open);
    anyOrderContract(open);
  });
}

const aStepEnd = {
  stage: 'plan',
  round: 1,
  attempt: 1,
  outcome: 'completed',
  usage: { input_tokens: 0, output_tokens: 0, cost_usd: 0 },
  detail: null,
} as const;

/** A person's approval or rejection, as the domain writes it. */
function decision(id: Issue['id'], { userId, index }: { userId: Issue['userId']; index: number }): IssueChange {
  const approve = index % 2 === 0;
  return {
    issueId: id,
    from: { status: 'awaiting_approval', planRevision: 1 },
    trigger: approve ? 'plan_approved' : 'plan_rejected',
    set: { stage: approve ? 'implement' : 'human_review', gate: null },
    events: [
      {
        type: 'review.decided',
        data: { revision: 1, action: approve ? 'approve' : 'reject', guidance: null, user_id: userId },
      },
    ],
  };
}
