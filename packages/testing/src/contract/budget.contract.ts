import { callerOf } from '@sluice/core/access';
import {
  installationBudget,
  type MonthlyLimit,
  NO_LIMIT,
  type Payer,
  repoBudget,
  userBudget,
} from '@sluice/core/budget';
import type { IssueId } from '@sluice/core/id';
import type { Issue, Lease } from '@sluice/core/issue';
import type { NotificationKind } from '@sluice/core/notification';
import type { Usage } from '@sluice/core/pipeline';
import { describe, expect, it } from 'vitest';
import { newId } from '../builder/ids.ts';
import { aTarget } from './notification.contract.ts';
import { applied, broughtToGate, cancelled, claimed, eventsOf, replayStatus, runningIssue } from './pipeline-moves.ts';
import {
  atOnce,
  newIssueOn,
  type OpenStores,
  registeredRepo,
  registeredUser,
  type StoreHarness,
} from './store-harness.ts';

const EACH_USER = userBudget(null);
const key = { stage: 'implement', round: 1 } as const;
const tokens = (limit: number): MonthlyLimit => ({ costUsd: null, tokens: limit });
const usd = (limit: number): MonthlyLimit => ({ costUsd: limit, tokens: null });
const usage: Usage = { input_tokens: 60, output_tokens: 40, cost_usd: 0.25 };

const call = (of: Usage = usage) => ({
  entries: [{ kind: 'usage', usage: of, model: 'acme/m' } as const],
  events: [],
});

const exhaust = (stores: StoreHarness, issueId: IssueId, lease: Lease) =>
  stores.issues.apply({ issueId, from: { status: 'running' }, trigger: 'budget_exhausted', lease, events: [] });

/** A running issue that a budget of its repository took out of its slot. */
async function heldIssue(stores: StoreHarness): Promise<Issue> {
  const { id, repoId } = await runningIssue(stores);
  const lease = await claimed(stores, id);
  await stores.runs.appendJournal(lease, key, call());
  await stores.budgets.set(repoBudget(repoId), tokens(100));
  return applied(await exhaust(stores, id, lease));
}

const spentOf = async ({ budgets }: StoreHarness, { userId, repoId }: Payer) =>
  (await budgets.ofSubjects([userBudget(userId), repoBudget(repoId), installationBudget])).map(({ spent }) => spent);

/** What a `BudgetStore` promises, and what issues do by its budgets, on any database. */
export function budgetContract(name: string, open: OpenStores): void {
  describe(`monthly budgets on ${name}`, () => {
    it('count a call for its user, its repository and the installation, in the write that records it', async () => {
      await using stores = await open();
      const issue = await runningIssue(stores);
      const other = await runningIssue(stores);
      const lease = await claimed(stores, issue.id);
      expect(await stores.runs.appendJournal(lease, key, call())).toBe(true);
      expect(await stores.runs.appendJournal(lease, key, call({ ...usage, cost_usd: null }))).toBe(true);
      await stores.runs.appendJournal(await claimed(stores, other.id), key, call());
      const twice = { inputTokens: 120, outputTokens: 80, costUsd: 0.25, calls: 2, unpricedCalls: 1 };
      expect(await spentOf(stores, issue)).toEqual([
        twice,
        twice,
        { inputTokens: 180, outputTokens: 120, costUsd: 0.5, calls: 3, unpricedCalls: 1 },
      ]);
    });

    it('count nothing of a refused write; what its worker paid is booked beside it, once', async () => {
      await using stores = await open();
      const issue = await runningIssue(stores);
      const lease = await claimed(stores, issue.id, 0);
      await claimed(stores, issue.id);
      expect(await stores.runs.appendJournal(lease, key, call())).toBe(false);
      expect((await spentOf(stores, issue)).map(({ calls }) => calls)).toEqual([0, 0, 0]);
      await stores.budgets.book(issue, usage);
      await stores.budgets.book(null, usage);
      expect((await spentOf(stores, issue)).map(({ calls }) => calls)).toEqual([1, 1, 2]);
      expect(await stores.issues.get(issue.id)).toMatchObject({ usage: { input_tokens: 0 } });
    });

    it('add up every one of many concurrent calls', async () => {
      await using stores = await open();
      const payers = await atOnce(4, () => registeredRepo(stores));
      await atOnce(40, (index) => {
        const repo = payers[index % 4] as (typeof payers)[number];
        return stores.budgets.book({ userId: repo.userId, repoId: repo.id }, { ...usage, cost_usd: 0.1 });
      });
      const [all] = await stores.budgets.ofSubjects([installationBudget]);
      expect(all?.spent).toEqual({ inputTokens: 2400, outputTokens: 1600, costUsd: 4, calls: 40, unpricedCalls: 0 });
    });

    it('bound a payer by each limit that is set; that of each user counts where there is none of their own', async () => {
      await using stores = await open();
      const issue = await runningIssue(stores);
      const { budgets } = stores;
      expect(await budgets.bounding(issue)).toEqual([]);
      await budgets.set(EACH_USER, tokens(1000));
      await budgets.set(installationBudget, usd(5));
      await budgets.book(issue, usage);
      expect(await budgets.bounding(issue)).toMatchObject([
        { kind: 'user', subject: issue.userId, limit: tokens(1000), spent: { inputTokens: 60 } },
        { kind: 'installation', limit: usd(5), spent: { costUsd: 0.25 } },
      ]);
      await budgets.set(userBudget(issue.userId), tokens(7));
      await budgets.set(installationBudget, NO_LIMIT);
      expect(await budgets.bounding(issue)).toMatchObject([{ kind: 'user', limit: tokens(7) }]);
      expect(await budgets.list()).toMatchObject([
        { kind: 'installation', limit: NO_LIMIT },
        ...(await budgets.ofSubjects([EACH_USER, userBudget(issue.userId)])),
      ]);
    });

    it('keep what others change of the limit at the same time, and record the whole limit', async () => {
      await using stores = await open();
      const { budgets } = stores;
      const { id } = await registeredRepo(stores);
      const user = await registeredUser(stores);
      await budgets.set(EACH_USER, tokens(1000));
      for (const subject of [installationBudget, repoBudget(id), userBudget(user.id)]) {
        const recorded: MonthlyLimit[] = [];
        const audit = (limit: MonthlyLimit) => {
          recorded.push(limit);
          const detail = { of: subject.kind, cost_usd: limit.costUsd, tokens: limit.tokens };
          const act = { action: 'budget.set', subjectId: null, detail } as const;
          return { userId: user.id, actor: { kind: 'operator' }, act } as const;
        };
        await Promise.all([
          budgets.set(subject, { costUsd: 5 }, audit),
          budgets.set(subject, { tokens: 70, costUsd: undefined }, audit),
        ]);
        expect(await budgets.ofSubjects([subject])).toMatchObject([{ limit: { costUsd: 5, tokens: 70 } }]);
        expect(recorded.at(-1)).toEqual({ costUsd: 5, tokens: 70 });
      }
      await budgets.set(userBudget(user.id), { tokens: null });
      expect(await budgets.ofSubjects([userBudget(user.id)])).toMatchObject([{ limit: usd(5) }]);
    });

    it('begin with nothing in a new month', async () => {
      await using stores = await open();
      const issue = await runningIssue(stores);
      await stores.budgets.set(userBudget(issue.userId), tokens(1000));
      await stores.budgets.book(issue, usage);
      const [before] = await stores.budgets.bounding(issue);
      stores.clock.advance(40 * 86_400_000);
      const [after] = await stores.budgets.bounding(issue);
      expect(before?.spent.calls).toBe(1);
      expect(after).toMatchObject({ spent: { calls: 0, inputTokens: 0 }, warned: false });
      expect(after?.month).not.toBe(before?.month);
    });

    it('take an issue out of its slot, keep its repository, and let the next one start', async () => {
      await using stores = await open({ maxActivePipelines: 1 });
      const { id, repoId } = await runningIssue(stores);
      const waiting = await runningIssue(stores);
      const lease = await claimed(stores, id);
      await stores.runs.appendJournal(lease, key, call());
      await stores.budgets.set(repoBudget(repoId), tokens(100));
      const held = applied(await exhaust(stores, id, lease));
      expect(held).toMatchObject({ status: 'pending', heldByBudget: 'repo', holdsSlot: false, queuePosition: null });
      expect(held.queuedAt).not.toBeNull();
      expect((await stores.issues.get(waiting.id))?.status).toBe('running');
      expect(await stores.runs.renew(lease, 1_000)).toBe(false);
      const repo = await stores.repos.get(repoId);
      if (repo === null) throw new Error('the repository is gone');
      expect((await stores.issues.create(newIssueOn(repo), { queue: true })).kind).toBe('repo_busy');
      const events = await eventsOf(stores, id);
      expect(replayStatus(events)).toBe('pending');
      expect(events.at(-1)?.data).toMatchObject({
        from: 'running',
        to: 'pending',
        queue_position: null,
        queue_reason: 'budget',
        detail: 'The monthly budget of the repository is used up. The issue goes on when there is budget again.',
      });
    });

    it('keep an issue whose turn it is from starting, and nobody behind it', async () => {
      await using stores = await open({ maxActivePipelines: 1 });
      const running = await runningIssue(stores);
      const [dry, well] = [await registeredRepo(stores), await registeredRepo(stores)];
      await stores.budgets.set(repoBudget(dry.id), tokens(0));
      const first = applied(await stores.issues.create(newIssueOn(dry), { queue: true }));
      const second = applied(await stores.issues.create(newIssueOn(well), { queue: true }));
      expect([first.queuePosition, second.queuePosition]).toEqual([1, 2]);
      await cancelled(stores, running.id);
      expect(await stores.issues.get(first.id)).toMatchObject({ status: 'pending', heldByBudget: 'repo' });
      expect((await stores.issues.get(second.id))?.status).toBe('running');
      expect(await stores.queueStats.load()).toMatchObject({ queued: 0 });
      const inbox = await stores.issues.inbox({ caller: callerOf(dry.userId) });
      expect(inbox.queued.items).toMatchObject([{ issue: { id: first.id, heldByBudget: 'repo' }, waitsFor: 'budget' }]);
    });

    it('hold an issue that is created while a slot is free, and say so at once', async () => {
      await using stores = await open();
      await stores.budgets.set(installationBudget, usd(0));
      const repo = await registeredRepo(stores);
      const created = applied(await stores.issues.create(newIssueOn(repo), { queue: true }));
      expect(created).toMatchObject({ status: 'pending', heldByBudget: 'installation', queuePosition: null });
    });

    it.each([
      ['a raise', (stores: StoreHarness, { repoId }: Issue) => stores.budgets.set(repoBudget(repoId), tokens(101))],
      ['a removal', (stores: StoreHarness, { repoId }: Issue) => stores.budgets.set(repoBudget(repoId), NO_LIMIT)],
      [
        'a new month',
        async (stores: StoreHarness) => {
          expect(await stores.budgets.queueHeld()).toBe(0);
          stores.clock.advance(40 * 86_400_000);
          expect(await stores.budgets.queueHeld()).toBe(1);
          expect(await stores.budgets.queueHeld()).toBe(0);
        },
      ],
    ])('let it go on where it was after %s', async (_, act) => {
      await using stores = await open();
      const held = await heldIssue(stores);
      const journal = await stores.runs.journal(held.id, key);
      await act(stores, held);
      const issue = await stores.issues.get(held.id);
      expect(issue).toMatchObject({ status: 'running', heldByBudget: null, stage: held.stage, holdsSlot: true });
      expect(await stores.runs.journal(held.id, key)).toEqual(journal);
      expect(stores.heard.runnable).toContain(held.id);
      expect(replayStatus(await eventsOf(stores, held.id))).toBe('running');
    });

    it('hold on to an issue that another budget still holds', async () => {
      await using stores = await open();
      const held = await heldIssue(stores);
      await stores.budgets.set(userBudget(held.userId), tokens(50));
      await stores.budgets.set(repoBudget(held.repoId), tokens(1000));
      expect((await stores.issues.get(held.id))?.status).toBe('pending');
      await stores.budgets.set(userBudget(held.userId), tokens(1000));
      expect((await stores.issues.get(held.id))?.status).toBe('running');
    });

    it('let an issue go on whose budget was raised while its worker stopped', async () => {
      await using stores = await open();
      const { id, repoId } = await runningIssue(stores);
      const lease = await claimed(stores, id);
      await stores.runs.appendJournal(lease, key, call());
      await stores.budgets.set(repoBudget(repoId), tokens(1000)); // the worker had read a lower one
      const issue = applied(await exhaust(stores, id, lease));
      expect(issue).toMatchObject({ status: 'running', heldByBudget: null });
      expect(await stores.runs.claim(id, { owner: 'worker-2', ttlMs: 1_000 })).not.toBeNull();
    });

    it('leave no issue behind in races of holds and raises', async () => {
      await using stores = await open({ maxActivePipelines: 8 });
      const repo = await registeredRepo(stores);
      const issues = await atOnce(8, () => runningIssue(stores));
      const leases = await Promise.all(issues.map(({ id }) => claimed(stores, id)));
      await stores.budgets.book({ userId: repo.userId, repoId: repo.id }, usage);
      await stores.budgets.set(installationBudget, tokens(100));
      await Promise.all([
        ...issues.map(({ id }, index) => exhaust(stores, id, leases[index] as Lease)),
        stores.budgets.set(installationBudget, tokens(1000)),
      ]);
      const after = await Promise.all(issues.map(({ id }) => stores.issues.get(id)));
      expect(after.map((issue) => issue?.status)).toEqual(issues.map(() => 'running'));
    });

    it('let a held issue be cancelled, which frees its repository', async () => {
      await using stores = await open();
      const held = await heldIssue(stores);
      expect(await cancelled(stores, held.id)).toMatchObject({ status: 'cancelled', heldByBudget: null });
      const repo = await stores.repos.get(held.repoId);
      if (repo === null) throw new Error('the repository is gone');
      await stores.budgets.set(repoBudget(held.repoId), NO_LIMIT);
      expect((await stores.issues.create(newIssueOn(repo), { queue: true })).kind).toBe('applied');
    });

    it('queue a decided issue behind held ones as if they were not there', async () => {
      await using stores = await open({ gateKeepsSlot: false, maxActivePipelines: 1 });
      await heldIssue(stores);
      const { id, userId } = await runningIssue(stores);
      await broughtToGate(stores, id);
      const other = await runningIssue(stores);
      const decided = applied(
        await stores.issues.apply({
          issueId: id,
          from: { status: 'awaiting_approval' },
          trigger: 'plan_decided_without_slot',
          set: { stage: 'implement', gate: null },
          events: [],
        }),
      );
      expect(decided).toMatchObject({ status: 'pending', heldByBudget: null, queuePosition: 1, userId });
      await cancelled(stores, other.id);
      expect((await stores.issues.get(id))?.status).toBe('running');
    });

    it('are warned of once, to those who may raise them', async () => {
      await using stores = await open();
      const events: NotificationKind[] = ['monthly_budget.warning'];
      const issue = await runningIssue(stores);
      const admin = await registeredUser(stores);
      const viewer = await registeredUser(stores);
      for (const [user, role] of [[admin, 'admin'] as const, [viewer, 'viewer'] as const])
        await stores.members.put({ repoId: issue.repoId, userId: user.id, role, origin: 'added' });
      for (const userId of [admin.id, viewer.id, issue.userId])
        await stores.notifications.createTarget(aTarget(userId, { channel: 'email', url: null, events }), null);
      await stores.budgets.set(repoBudget(issue.repoId), tokens(110));
      await stores.budgets.book(issue, usage);
      const [budget] = await stores.budgets.bounding(issue);
      if (budget === undefined) throw new Error('no budget bounds the issue');
      const told = await atOnce(6, () => stores.budgets.warn(budget));
      expect(told.filter((isFirst) => isFirst)).toHaveLength(1);
      const deliveries = async (userId: Issue['userId']) => {
        const [target] = await stores.notifications.targets(userId);
        const page = await stores.notifications.deliveries({ targetId: target?.id ?? '', limit: 10, cursor: null });
        return page.items.map(({ notification }) => notification);
      };
      const warning = { type: 'monthly_budget.warning', data: { budget: { of: 'repo', repo: { id: issue.repoId } } } };
      expect(await deliveries(admin.id)).toMatchObject([warning]);
      expect(await deliveries(issue.userId)).toMatchObject([warning]);
      expect(await deliveries(viewer.id)).toEqual([]);
      expect(await stores.budgets.bounding(issue)).toMatchObject([{ warned: true }]);
      await stores.budgets.set(repoBudget(issue.repoId), tokens(120));
      expect(await stores.budgets.bounding(issue)).toMatchObject([{ warned: false }]);
    });

    it('tell how far they are used and how many issues they hold', async () => {
      await using stores = await open();
      const none = { held: 0, share: null };
      expect(await stores.budgets.load()).toEqual({ user: none, repo: none, installation: none });
      const held = await heldIssue(stores); // by 100 of 100 tokens
      const other = await registeredRepo(stores);
      await stores.budgets.set(repoBudget(other.id), { costUsd: 1, tokens: 1_000 });
      await stores.budgets.book({ userId: held.userId, repoId: other.id }, { ...usage, cost_usd: 0.5 });
      await stores.budgets.set(EACH_USER, usd(1)); // which the user has used by 0.75
      expect(await stores.budgets.load()).toEqual({
        user: { held: 0, share: 0.75 },
        repo: { held: 1, share: 1 },
        installation: none,
      });
      await stores.budgets.set(userBudget(held.userId), usd(3));
      await stores.budgets.set(installationBudget, tokens(0));
      expect(await stores.budgets.load()).toMatchObject({ user: { share: 0.25 }, installation: { share: 1 } });
    });

    it('are removed with their repository, and what was spent is kept for thirteen months', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      const payer = { userId: repo.userId, repoId: repo.id };
      stores.clock.set(new Date('2026-11-30T23:00:00.000Z'));
      await stores.budgets.book(payer, usage);
      await stores.budgets.set(repoBudget(repo.id), tokens(100));
      await stores.repos.remove(repo.id);
      expect((await stores.budgets.load()).repo.share).toBeNull();
      const kept = async (before: string) => {
        stores.clock.set(new Date(before));
        while (await stores.maintenance.clearExpired({ before: new Date(before), limit: 1 }));
        stores.clock.set(new Date('2026-11-30T23:00:00.000Z'));
        return (await spentOf(stores, payer)).map(({ calls }) => calls);
      };
      expect(await kept('2027-11-30T23:59:59.000Z')).toEqual([1, 1, 1]);
      expect(await kept('2027-12-01T00:00:00.000Z')).toEqual([0, 0, 0]);
    });

    it('are set for users and repositories that exist', async () => {
      await using stores = await open();
      await expect(stores.budgets.set(repoBudget(newId()), tokens(1))).rejects.toMatchObject({
        code: 'repo_not_found',
      });
      await expect(stores.budgets.set(userBudget(newId()), tokens(1))).rejects.toMatchObject({
        code: 'user_not_found',
      });
      expect((await stores.budgets.list()).map(({ limit }) => limit)).toEqual([NO_LIMIT, NO_LIMIT]);
    });
  });
}
