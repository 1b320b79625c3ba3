import type { Issue } from '@sluice/core/issue';
import { describe, expect, it } from 'vitest';
import { newId } from '../builder/ids.ts';
import { admissionContract } from './admission.contract.ts';
import { anyOrderContract } from './any-order.contract.ts';
import { approvalContract } from './approval.contract.ts';
import { editContract } from './edit.contract.ts';
import { fairQueueContract } from './fair-queue.contract.ts';
import { gateSlotContract } from './gate-slot.contract.ts';
import { inboxContract } from './inbox.contract.ts';
import { issueChangeContract } from './issue-change.contract.ts';
import { issueListContract } from './issue-list.contract.ts';
import { lineForRepoContract } from './line-for-repo.contract.ts';
import {
  applied,
  broughtToGate,
  cancelled,
  claimed,
  decision,
  eventsOf,
  failed,
  replayStatus,
  runningIssue,
} from './pipeline-moves.ts';
import { atOnce, newIssueOn, type OpenStores, registeredRepo } from './store-harness.ts';

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
          events: [{ issueId: given.id, userId: given.userId, repoId: given.repoId, seq: 1 }],
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

    issueChangeContract(open);
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
        await stores.runs.appendLog(lease, [{ command: 'ls', runSeq: 1, stream: 'stdout', text: 'a' }]);
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
    inboxContract(open);
    approvalContract(open);
    editContract(open);
    lineForRepoContract(open);
    anyOrderContract(open);
  });
}
