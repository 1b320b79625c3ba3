import { callerOf } from '@sluice/core/access';
import { type Inbox, type Issue, inboxBounds } from '@sluice/core/issue';
import type { Triage } from '@sluice/core/pipeline';
import { describe, expect, it } from 'vitest';
import { applied, broughtToGate, cancelled, failed, queuedFor, runningIssue } from './pipeline-moves.ts';
import { newIssueOn, type OpenStores, registeredRepo, registeredUser, type StoreHarness } from './store-harness.ts';

const DAY_MS = 86_400_000;
const TRIAGE: Triage = { kind: 'bug', summary: '', acceptance_criteria: [], risk: 'low', open_questions: [] };

/** Which issue is in which list of a user's inbox, and why. */
export function inboxContract(open: OpenStores): void {
  describe('the inbox', () => {
    it('shows what needs the user, the one that waits longest first, and says why', async () => {
      await using stores = await open({ maxActivePipelines: 10 });
      const { id: userId } = await registeredUser(stores);
      const plan = await gateOf(stores, { userId, title: 'plan', triage: null });
      stores.clock.advance(1_000);
      const failure = await started(stores, { userId, title: 'failure' });
      await failed(stores, failure.id);
      stores.clock.advance(1_000);
      const publish = await gateOf(stores, { userId, title: 'publish', triage: TRIAGE, kind: 'publish' });
      stores.clock.advance(1_000);
      await gateOf(stores, { userId, title: 'asks', triage: { ...TRIAGE, open_questions: ['Which one?'] } });
      stores.clock.advance(1_000);
      await gateOf(stores, { userId, title: 'question', triage: { ...TRIAGE, kind: 'question' } });
      const { needsYou, running, counts } = await stores.issues.inbox({ caller: callerOf(userId) });
      expect(needsYou.items.map(({ issue, wants }) => [issue.title, wants])).toEqual([
        ['plan', 'plan'],
        ['failure', 'failure'],
        ['publish', 'publish'],
        ['asks', 'question'],
        ['question', 'question'],
      ]);
      expect(needsYou.items[0]).toMatchObject({
        since: new Date(plan.gate?.requested_at ?? 0),
        issue: { id: plan.id },
      });
      expect(needsYou.items[1]?.issue.error?.detail).toBe('The tests fail at the head.');
      expect(needsYou.items[2]?.repoName).toBe((await stores.repos.get(publish.repoId))?.name);
      expect(Object.keys(needsYou.items[0]?.issue ?? {})).not.toEqual(expect.arrayContaining(['body']));
      expect([needsYou.more, running.items]).toEqual([false, []]);
      expect(counts).toMatchObject({ awaiting_approval: 4, failed: 1, running: 0, completed: 0 });
    });

    it('holds a failure done once it is two weeks old, and running once it was retried', async () => {
      await using stores = await open();
      const { id: userId } = await registeredUser(stores);
      const old = await started(stores, { userId, title: 'old' });
      await failed(stores, old.id);
      stores.clock.advance(13 * DAY_MS);
      const retried = await started(stores, { userId, title: 'retried' });
      await failed(stores, retried.id);
      expect(named(await stores.issues.inbox({ caller: callerOf(userId) }))).toEqual({ needsYou: ['old', 'retried'] });
      const from = { status: 'failed' } as const;
      applied(await stores.issues.apply({ issueId: retried.id, from, trigger: 'retried', events: [] }));
      stores.clock.advance(2 * DAY_MS);
      expect(named(await stores.issues.inbox({ caller: callerOf(userId) }))).toEqual({
        running: ['retried'],
        done: ['old'],
      });
    });

    it('counts the issues of its user that wait because of one at its gate, and no others', async () => {
      await using stores = await open({ maxActivePipelines: 1 });
      const { id: userId } = await registeredUser(stores);
      const gate = await gateOf(stores, { userId, title: 'gate', triage: null });
      const repo = await stores.repos.get(gate.repoId);
      if (repo === null) throw new Error('there is no such repository');
      for (const title of ['second', 'third']) {
        applied(await stores.issues.create(newIssueOn(repo, { title }), { queue: true, orWait: true }));
      }
      applied(await stores.issues.create(newIssueOn(repo, { title: 'draft' }), { queue: false }));
      await queuedFor(stores, userId, 3);
      await queuedFor(stores, (await registeredUser(stores)).id, 2);
      const { needsYou } = await stores.issues.inbox({ caller: callerOf(userId) });
      expect(needsYou.items.map(({ issue, holdsUp }) => [issue.title, holdsUp])).toEqual([
        ['gate', { repo: 2, slot: 3 }],
      ]);
    });

    it('tells what waits for a slot, for its repository, or for another issue of its user', async () => {
      await using stores = await open({ maxActivePipelines: 2, maxActivePipelinesPerUser: 1 });
      const { id: userId } = await registeredUser(stores);
      const first = await started(stores, { userId, title: 'runs' });
      const repo = await stores.repos.get(first.repoId);
      if (repo === null) throw new Error('there is no such repository');
      const lined = newIssueOn(repo, { title: 'in line' });
      applied(await stores.issues.create(lined, { queue: true, orWait: true }));
      applied(await stores.issues.create(newIssueOn(repo, { title: 'draft' }), { queue: false }));
      const [second] = await queuedFor(stores, userId, 1);
      await runningIssue(stores);
      const [other] = await queuedFor(stores, (await registeredUser(stores)).id, 1);
      const { queued, drafts, running } = await stores.issues.inbox({ caller: callerOf(userId) });
      expect(queued.items.map(({ issue, waitsFor }) => [issue.id, waitsFor, issue.queuePosition])).toEqual([
        [second, 'own_limit', 2],
        [lined.id, 'repo', null],
      ]);
      expect(drafts.items.map(({ issue }) => issue.title)).toEqual(['draft']);
      expect(running.items.map(({ issue }) => issue.title)).toEqual(['runs']);
      const theirs = await stores.issues.get(other ?? first.id);
      const { queued: queuedOfOther } = await stores.issues.inbox({ caller: callerOf(theirs?.userId ?? userId) });
      expect(queuedOfOther.items.map(({ issue, waitsFor }) => [issue.id, waitsFor, issue.queuePosition])).toEqual([
        [other, 'slot', 1],
      ]);
    });

    it('shows what ended last first, and says that there is more', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      const ended: string[] = [];
      for (let nth = 0; nth <= inboxBounds.done; nth += 1) {
        const issue = applied(await stores.issues.create(newIssueOn(repo, { title: `nth ${nth}` }), { queue: false }));
        stores.clock.advance(1);
        ended.unshift((await cancelled(stores, issue.id)).title);
      }
      const { done, counts } = await stores.issues.inbox({ caller: callerOf(repo.userId) });
      expect(done.items.map(({ issue }) => issue.title)).toEqual(ended.slice(0, inboxBounds.done));
      expect([done.more, counts.cancelled]).toEqual([true, inboxBounds.done + 1]);
    });

    it('narrows to a repository and to a part of the title, and shows nothing of others', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      const { userId } = repo;
      const other = await registeredRepo(stores, { userId });
      for (const title of ['Cover 100% of it', 'Fix SUM'])
        applied(await stores.issues.create(newIssueOn(repo, { title, body: 'in the body' }), { queue: false }));
      applied(await stores.issues.create(newIssueOn(other, { title: 'sum elsewhere' }), { queue: true }));
      expect(named(await stores.issues.inbox({ caller: callerOf(userId), q: 'sum' }))).toEqual({
        drafts: ['Fix SUM'],
        running: ['sum elsewhere'],
      });
      expect(named(await stores.issues.inbox({ caller: callerOf(userId), q: '%' }))).toEqual({
        drafts: ['Cover 100% of it'],
      });
      expect(named(await stores.issues.inbox({ caller: callerOf(userId), q: 'body' }))).toEqual({});
      const ofRepo = await stores.issues.inbox({ caller: callerOf(userId), repoId: repo.id, q: 'fix' });
      expect([named(ofRepo), ofRepo.counts.pending, ofRepo.counts.running]).toEqual([{ drafts: ['Fix SUM'] }, 2, 0]);
      const stranger = await registeredUser(stores);
      for (const query of [{}, { repoId: repo.id }]) {
        const theirs = await stores.issues.inbox({ caller: callerOf(stranger.id), ...query });
        expect([named(theirs), Object.values(theirs.counts).every((count) => count === 0)]).toEqual([{}, true]);
      }
      await stores.repos.remove(repo.id);
      const left = await stores.issues.inbox({ caller: callerOf(userId) });
      expect([named(left), left.counts.pending]).toEqual([{ running: ['sum elsewhere'] }, 0]);
    });
  });
}

async function started(stores: StoreHarness, { userId, title }: Pick<Issue, 'userId' | 'title'>): Promise<Issue> {
  const repo = await registeredRepo(stores, { userId });
  return applied(await stores.issues.create(newIssueOn(repo, { title }), { queue: true }));
}

async function gateOf(
  stores: StoreHarness,
  given: Pick<Issue, 'userId' | 'title'> & { triage: Triage | null; kind?: 'publish' },
): Promise<Issue> {
  const { id } = await started(stores, given);
  const requested_at = stores.clock.now().toISOString();
  const { pipeline } = await broughtToGate(stores, id, { kind: given.kind ?? 'plan', requested_at });
  const from = { status: 'awaiting_approval' } as const;
  const set = { pipeline: { ...pipeline, triage: given.triage } };
  return applied(await stores.issues.apply({ issueId: id, from, trigger: 'gate_reminded', set, events: [] }));
}

/** The titles of each list that has any. */
function named({ counts, ...lists }: Inbox): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(lists)
      .map(([name, { items }]) => [name, items.map(({ issue }) => issue.title)] as const)
      .filter(([, titles]) => titles.length > 0),
  );
}
