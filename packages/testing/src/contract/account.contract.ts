import { callerOf } from '@sluice/core/access';
import type { AccountFilter, User } from '@sluice/core/account';
import type { AuditAct } from '@sluice/core/audit';
import { cancelIssuesOf, type IssueStatus } from '@sluice/core/issue';
import { describe, expect, it } from 'vitest';
import { aNewUser, byUser } from '../builder/a-user.ts';
import { aNewApiToken } from '../builder/an-api-token.ts';
import { newId } from '../builder/ids.ts';
import { applied, broughtToGate } from './pipeline-moves.ts';
import {
  atOnce,
  newIssueOn,
  type OpenStores,
  registeredRepo,
  registeredUser,
  startedSession,
  tally,
} from './store-harness.ts';

/** What a `UserStore` promises of accounts that are changed, by their users and by the operator. */
export function accountContract(name: string, open: OpenStores): void {
  describe(`accounts on ${name}`, () => {
    it('change in what a change names and in nothing else', async () => {
      await using stores = await open();
      const user = await registeredUser(stores);
      const session = await startedSession(stores, user.id);
      const renamed = { ...user, name: null };
      expect(await stores.users.changeAccount(user.id, { name: null, keep: null })).toEqual({
        kind: 'changed',
        user: renamed,
        endedSessions: [],
      });
      const moved = { ...renamed, email: 'Ada@elsewhere.test' };
      expect(await stores.users.changeAccount(user.id, { email: moved.email, keep: null })).toMatchObject({
        user: moved,
      });
      expect(await stores.users.credentials(user.email ?? '')).toBeNull();
      expect(await stores.users.credentials('ada@ELSEWHERE.test')).toMatchObject({ user: moved });
      // In another case it is still the same address.
      expect(await stores.users.changeAccount(user.id, { email: 'ada@elsewhere.test', keep: null })).toMatchObject({
        kind: 'changed',
      });
      expect(await stores.sessions.find(session.id)).not.toBeNull();
      expect(await stores.users.changeAccount(newId(), { name: 'x', keep: null })).toEqual({ kind: 'stale' });
    });

    it('keep what their user likes, by the members that were set', async () => {
      await using stores = await open();
      const { users } = stores;
      const { id } = await registeredUser(stores);
      const other = await registeredUser(stores);
      const defaults = { theme: 'system', diff: 'split', notifications: false, shortcuts: true };
      expect(await users.preferences(id)).toEqual(defaults);
      expect(await users.changePreferences(id, { theme: 'dark' })).toEqual({ ...defaults, theme: 'dark' });
      const changes = [
        { notifications: true },
        { shortcuts: false },
        { diff: 'unified' },
        { theme: undefined },
      ] as const;
      await atOnce(changes.length, (at) => users.changePreferences(id, changes[at] ?? {}));
      const all = { theme: 'dark', diff: 'unified', notifications: true, shortcuts: false };
      expect([await users.preferences(id), await users.preferences(other.id)]).toEqual([all, defaults]);
      expect(Object.keys((await users.get(id)) ?? {})).not.toContain('preferences');
    });

    it('lose every session but one with a new password', async () => {
      await using stores = await open();
      const { id } = await registeredUser(stores);
      const [own, ...others] = [
        await startedSession(stores, id),
        await startedSession(stores, id),
        await startedSession(stores, id),
      ];
      const hash = await stores.users.passwordHash(id);
      const change = { passwordHash: 'new', keep: own.id, ifPasswordHash: hash };
      const outcome = await stores.users.changeAccount(id, change);
      const ended = outcome.kind === 'changed' ? outcome.endedSessions : [];
      expect(ended.toSorted()).toEqual(others.map((one) => one.id).toSorted());
      expect((await stores.sessions.list(id, { limit: 9, cursor: null })).items).toEqual([own]);
      expect(await stores.users.changeAccount(id, { ...change, passwordHash: 'newer' })).toEqual({ kind: 'stale' });
      expect(await stores.users.passwordHash(id)).toBe('new');
    });

    it('give an e-mail to one of several concurrent users, by change or registration', async () => {
      await using stores = await open();
      const users: User[] = [];
      for (let count = 0; count < 4; count += 1) users.push(await registeredUser(stores));
      const spellings = ['wanted@example.test', 'WANTED@example.test'];
      const outcomes = await atOnce(8, async (index) => {
        const email = spellings[index % 2] ?? '';
        const user = users[index];
        if (user === undefined) return await stores.users.create(aNewUser({ email }));
        return await stores.users.changeAccount(user.id, { email, keep: null });
      });
      const { changed = 0, created = 0, email_taken } = tally(outcomes);
      expect([changed + created, email_taken]).toEqual([1, 7]);
      expect((await stores.users.accounts({ limit: 100, cursor: null })).items).toHaveLength(4 + created);
    });

    it('cannot swap e-mails concurrently, without a deadlock', async () => {
      await using stores = await open();
      const [one, two] = [await registeredUser(stores), await registeredUser(stores)];
      const swap = [
        stores.users.changeAccount(one.id, { email: two.email ?? '', keep: null }),
        stores.users.changeAccount(two.id, { email: one.email ?? '', keep: null }),
      ];
      expect(tally(await Promise.all(swap))).toEqual({ email_taken: 2 });
    });

    it('that are disabled have no session, get none, and open nothing', async () => {
      await using stores = await open();
      const user = await registeredUser(stores);
      const session = await startedSession(stores, user.id);
      stores.clock.advance(1_000);
      const disabledAt = stores.clock.now();
      expect(await stores.users.disable(user.id)).toEqual({ kind: 'disabled', endedSessions: [session.id] });
      stores.clock.advance(1_000);
      expect(await stores.users.disable(user.id)).toEqual({ kind: 'disabled', endedSessions: [] });
      expect(await stores.users.account(user.id)).toEqual({
        user,
        hasPassword: true,
        disabledAt,
        deletedAt: null,
        liveSessions: 0,
        failedLogins: 0,
        ...{ lastSeenAt: session.lastSeenAt, hasSecondFactor: false, liveTokens: 0, repos: 0 },
      });
      expect(await stores.sessions.find(session.id)).toBeNull();
      expect(await stores.users.credentials(user.email ?? '')).toBeNull();
      await expect(startedSession(stores, user.id)).rejects.toThrow('not given');
      await stores.users.enable(user.id);
      expect(await stores.sessions.find(session.id)).toBeNull();
      expect((await stores.users.credentials(user.email ?? ''))?.user).toEqual(user);
      await startedSession(stores, user.id);
      expect(await stores.users.disable(newId())).toEqual({ kind: 'disabled', endedSessions: [] });
    });

    it('leave no session behind that began while they were disabled', async () => {
      await using stores = await open();
      for (let round = 0; round < 10; round += 1) {
        const { id } = await registeredUser(stores);
        const begin = () => startedSession(stores, id).catch(() => null);
        await Promise.all([begin(), begin(), stores.users.disable(id), begin()]);
        await stores.users.enable(id);
        expect((await stores.sessions.list(id, { limit: 9, cursor: null })).items).toEqual([]);
      }
    });

    it('that the operator disables have their issues cancelled in every status, and other users keep theirs', async () => {
      await using stores = await open({ maxActivePipelines: 2 });
      const eve = await registeredUser(stores);
      const begin = async (userId: User['id'], queue = true) =>
        applied(await stores.issues.create(newIssueOn(await registeredRepo(stores, { userId })), { queue }));
      const [gate, running, queued, unstarted] = [
        await broughtToGate(stores, (await begin(eve.id)).id),
        await begin(eve.id),
        await begin(eve.id),
        await begin(eve.id, false),
      ];
      const others = await begin((await registeredUser(stores)).id);
      const statusOf = async ({ id }: { id: typeof gate.id }) => (await stores.issues.get(id))?.status;
      const before: IssueStatus[] = ['awaiting_approval', 'running', 'pending', 'pending', 'pending'];
      const all = [gate, running, queued, unstarted, others];
      expect(await Promise.all(all.map(statusOf))).toEqual(before);
      const by = { userId: eve.id, actor: { kind: 'operator' } } as const;
      expect(await cancelIssuesOf(stores, eve.id, { by })).toBe(4);
      // What waited for their slots has started.
      expect(await Promise.all(all.map(statusOf))).toEqual([...Array(4).fill('cancelled'), 'running']);
      expect(await cancelIssuesOf(stores, eve.id, { by })).toBe(0);
      const { items } = await stores.audit.list(eve.id, { limit: 9, cursor: null });
      expect(items.map(({ actor, act }) => `${actor.kind} ${act.action} ${act.subjectId}`).toSorted()).toEqual(
        [gate, running, queued, unstarted].map(({ id }) => `operator issue.cancelled ${id}`).toSorted(),
      );
    });

    it('have nothing begun for them while they are disabled, by requests that were under way either', async () => {
      await using stores = await open();
      const { id: userId } = await registeredUser(stores);
      const begin = async (queue: boolean) =>
        applied(await stores.issues.create(newIssueOn(await registeredRepo(stores, { userId })), { queue }));
      const unstarted = await begin(false);
      const failed = await begin(true);
      const give = { trigger: 'gave_up', set: { error: { stage: 'plan', detail: 'x' } }, events: [] } as const;
      applied(await stores.issues.apply({ issueId: failed.id, from: { status: 'running' }, ...give }));
      await stores.users.disable(userId);
      const run = { from: { status: 'pending', queued: false }, trigger: 'queued', events: [] } as const;
      const retry = { from: { status: 'failed' }, trigger: 'retried', events: [] } as const;
      const acts = [
        () => begin(true),
        () => begin(false),
        () => stores.issues.apply({ issueId: unstarted.id, ...run }),
        () => stores.issues.apply({ issueId: failed.id, ...retry }),
      ];
      for (const act of acts) await expect(act()).rejects.toMatchObject({ code: 'account_disabled' });
      await stores.users.enable(userId);
      applied(await stores.issues.apply({ issueId: unstarted.id, ...run }));
    });

    it('are left with nothing that was begun while they were being disabled', async () => {
      await using stores = await open();
      for (let round = 0; round < 5; round += 1) {
        const { id: userId } = await registeredUser(stores);
        const repos = [await registeredRepo(stores, { userId }), await registeredRepo(stores, { userId })];
        const begun = repos.map((repo) => stores.issues.create(newIssueOn(repo), { queue: true }).catch(() => null));
        const lockOut = stores.users.disable(userId).then(() => cancelIssuesOf(stores, userId, { by: byUser(userId) }));
        await Promise.all([...begun, lockOut]);
        const { items } = await stores.issues.list({ readableBy: callerOf(userId), limit: 9, cursor: null });
        expect(items.filter(({ status }) => status !== 'cancelled')).toEqual([]);
      }
    });

    it('have their issues cancelled also while these end by themselves', async () => {
      await using stores = await open();
      const { id: userId } = await registeredUser(stores);
      const issue = applied(
        await stores.issues.create(newIssueOn(await registeredRepo(stores, { userId })), { queue: true }),
      );
      const failing = stores.issues.apply({
        issueId: issue.id,
        from: { status: 'running' },
        trigger: 'gave_up',
        set: { error: { stage: 'plan', detail: 'x' } },
        events: [],
      });
      const [cancelled, { kind }] = await Promise.all([
        cancelIssuesOf(stores, userId, { by: byUser(userId) }),
        failing,
      ]);
      expect(cancelled).toBe(kind === 'applied' ? 0 : 1);
    });

    it('are listed newest first, in pages, with the details for the operator', async () => {
      await using stores = await open();
      const users = [];
      for (let count = 0; count < 3; count += 1) users.push(await registeredUser(stores));
      const [busy] = users;
      if (busy === undefined) throw new Error('nobody is there');
      await startedSession(stores, busy.id);
      const { lastSeenAt } = await startedSession(stores, busy.id);
      const first = await stores.users.accounts({ limit: 2, cursor: null });
      const second = await stores.users.accounts({ limit: 2, cursor: first.nextCursor });
      const ids = [...first.items, ...second.items].map(({ user }) => user.id);
      expect(ids).toEqual(
        users
          .map(({ id }) => id)
          .toSorted()
          .reverse(),
      );
      expect(second.nextCursor).toBeNull();
      const account = {
        ...{ user: busy, hasPassword: true, disabledAt: null, deletedAt: null, liveSessions: 2, failedLogins: 0 },
        ...{ lastSeenAt, hasSecondFactor: false, liveTokens: 0, repos: 0 },
      };
      expect(await stores.users.account(busy.id)).toEqual(account);
      expect(await stores.users.account(busy.email?.toUpperCase() ?? '')).toEqual(account);
      expect(await stores.users.account('nobody@example.test')).toBeNull();
    });

    it('are shown with what they have that can be used, and when they were last seen', async () => {
      await using stores = await open();
      const { id } = await registeredUser(stores);
      const seen = async () => (await stores.users.account(id))?.lastSeenAt ?? null;
      expect(await seen()).toBeNull();
      const { id: repoId } = await registeredRepo(stores, { userId: id });
      const later = () => new Date(stores.clock.now().getTime() + 60_000);
      stores.clock.advance(1_000);
      const token = aNewApiToken({ userId: id, expiresAt: later() });
      await stores.apiTokens.create(token);
      const revoked = aNewApiToken({ userId: id, repoId, expiresAt: later() });
      await stores.apiTokens.create(revoked);
      await stores.apiTokens.revoke(revoked.id);
      expect(await stores.users.account(id)).toMatchObject({ liveTokens: 1, repos: 1, hasSecondFactor: false });
      await stores.apiTokens.touch(token.id, { unusedSince: later(), client: null });
      const used = stores.clock.now();
      expect(await seen()).toEqual(used);
      stores.clock.advance(1_000);
      const act: AuditAct = {
        ...{ action: 'account.changed', subjectId: null },
        detail: { sessions_ended: 0, fields: ['name'] },
      };
      const audit = () => ({ userId: id, actor: { kind: 'operator' }, act }) as const;
      await stores.users.changeAccount(id, { name: 'By an operator', keep: null }, audit);
      expect(await seen()).toEqual(used);
      const own = () => ({ userId: id, actor: { kind: 'user', sessionId: null }, act }) as const;
      await stores.users.changeAccount(id, { name: 'By themselves', keep: null }, own);
      expect(await seen()).toEqual(stores.clock.now());
      stores.clock.advance(120_000);
      await stores.repos.remove(repoId);
      expect(await stores.users.account(id)).toMatchObject({ liveTokens: 0, repos: 0 });
    });

    it('are found by a part of their e-mail, name or login, in which no character has a meaning, and by their state', async () => {
      await using stores = await open();
      const names = ['Zo_é 100%', 'Back\\slash', 'Plain'];
      const ids: User['id'][] = [];
      for (const name of names) {
        const user = aNewUser({ name });
        await stores.users.create(user);
        ids.push(user.id);
      }
      const [first, second, third] = ids as [User['id'], User['id'], User['id']];
      const found = async (filter: AccountFilter) =>
        (await stores.users.accounts({ limit: 9, cursor: null }, filter)).items.map(({ user }) => user.id);
      expect(await found({ search: 'o_' })).toEqual([first]);
      expect(await found({ search: '100%' })).toEqual([first]);
      expect(await found({ search: 'K\\S' })).toEqual([second]);
      const email = (await stores.users.get(third))?.email ?? '';
      expect(await found({ search: email.toUpperCase() })).toEqual([third]);
      expect(await found({ search: 'nobody' })).toEqual([]);
      await stores.users.disable(second);
      expect(await found({ state: 'active' })).toEqual([third, first]);
      expect(await found({ state: 'disabled' })).toEqual([second]);
      expect(await found({ state: 'operator' })).toEqual([first]);
      expect(await found({ state: 'active', search: 'plain' })).toEqual([third]);
      const page = await stores.users.accounts({ limit: 1, cursor: null }, { state: 'active' });
      const rest = await stores.users.accounts({ limit: 2, cursor: page.nextCursor }, { state: 'active' });
      expect([...page.items, ...rest.items].map(({ user }) => user.id)).toEqual([third, first]);
    });
  });
}
