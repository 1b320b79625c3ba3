import type { User } from '@sluice/core/account';
import { type DeletionProof, deleteAccount } from '@sluice/core/deletion';
import type { AppError } from '@sluice/core/error';
import type { UserId } from '@sluice/core/id';
import type { Repo } from '@sluice/core/repo';
import { describe, expect, it } from 'vitest';
import { aNewRepo } from '../builder/a-repo.ts';
import { aNewUser, byUser } from '../builder/a-user.ts';
import { aNewApiToken } from '../builder/an-api-token.ts';
import { newId } from '../builder/ids.ts';
import { anAccount, anEncryptedGrant } from './code-host-samples.ts';
import { aTarget } from './notification.contract.ts';
import { anApp } from './second-factor.contract.ts';
import {
  atOnce,
  newIssueOn,
  type OpenStores,
  registeredRepo,
  registeredUser,
  type StoreHarness,
  startedSession,
  tally,
} from './store-harness.ts';

const anybody = { foldersFor: 'everybody' } as const;
const operators = { foldersFor: 'operators' } as const;
const everything = { limit: 100, cursor: null };

/** A user who is not the first, and so no operator. */
async function colleague(stores: StoreHarness): Promise<User> {
  if ((await stores.users.accounts({ limit: 1, cursor: null })).items.length === 0) await registeredUser(stores);
  return await registeredUser(stores);
}

async function proofOf(stores: StoreHarness, { id: userId }: Pick<User, 'id'>): Promise<DeletionProof> {
  const { id: sessionId } = await startedSession(stores, userId);
  return { userId, sessionId, ifPasswordHash: await stores.users.passwordHash(userId) };
}

async function leave(stores: StoreHarness, user: User, rules: typeof anybody | typeof operators = anybody) {
  return await deleteAccount(stores, await proofOf(stores, user), { by: byUser(user.id), rules });
}

async function adminOf(stores: StoreHarness, { id: repoId }: Repo, user?: User): Promise<User> {
  const member = user ?? (await colleague(stores));
  await stores.members.put({ repoId, userId: member.id, role: 'admin', origin: 'added' });
  stores.clock.advance(1_000);
  return member;
}

async function queued(stores: StoreHarness, repo: Repo, user: User) {
  const outcome = await stores.issues.create(newIssueOn(repo, { userId: user.id }), { queue: true, orWait: true });
  if (outcome.kind !== 'applied') throw new Error(`the issue was not created: ${outcome.kind}`);
  return outcome.issue;
}

/** What the deletion of an account promises, on any database. */
export function deletionContract(name: string, open: OpenStores): void {
  describe(`the deletion of an account on ${name}`, () => {
    it('hands repositories over, removes the others, and cancels what has not ended', async () => {
      await using stores = await open();
      const [leaver, viewer] = [await colleague(stores), await colleague(stores)];
      const shared = await registeredRepo(stores, { userId: leaver.id });
      const [heir] = [await adminOf(stores, shared), await adminOf(stores, shared)];
      const alone = await registeredRepo(stores, { userId: leaver.id });
      await stores.members.put({ repoId: alone.id, userId: viewer.id, role: 'contributor', origin: 'added' });
      const foreign = await registeredRepo(stores, { userId: heir.id });
      await stores.members.put({ repoId: foreign.id, userId: leaver.id, role: 'contributor', origin: 'added' });
      const mine = await queued(stores, shared, leaver);
      const theirs = await queued(stores, alone, viewer);
      const waiting = await queued(stores, alone, leaver);
      const elsewhere = await queued(stores, foreign, leaver);
      await stores.members.remove(foreign.id, leaver.id); // their issue ends whatever role they have left

      const named = { userId: heir.id, name: heir.name, email: heir.email, codehostLogin: null };
      expect(await stores.deletions.plan(leaver.id, anybody)).toEqual({
        isLastOperator: false,
        hasPassword: true,
        issuesToCancel: 4,
        issuesKept: 2,
        repos: [
          { id: alone.id, name: alone.name, heir: null, issues: 2, issuesOfOthers: 1, hasToken: false },
          { id: shared.id, name: shared.name, heir: named, issues: 1, issuesOfOthers: 0, hasToken: false },
        ],
      });
      await leave(stores, leaver);

      expect(await stores.repos.get(shared.id)).toMatchObject({ userId: heir.id });
      expect(await stores.members.role(shared.id, heir.id)).toBe('admin');
      expect((await stores.members.list(shared.id)).map(({ userId }) => userId)).not.toContain(leaver.id);
      expect(await stores.repos.get(alone.id)).toBeNull();
      for (const { id } of [mine, elsewhere]) {
        expect(await stores.issues.get(id)).toMatchObject({ status: 'cancelled', userId: leaver.id });
      }
      for (const { id } of [theirs, waiting]) expect(await stores.issues.get(id)).toBeNull();
      const acts = (await stores.audit.list(leaver.id, everything)).items.map(({ act }) => act);
      expect(acts[0]).toMatchObject({
        action: 'account.deleted',
        detail: { sessions_ended: 1, issues_cancelled: 4, repos_handed_over: 1, repos_removed: 1 },
      });
      const [handed] = (await stores.audit.listOfRepo(shared.id, everything)).items;
      expect(handed?.act).toMatchObject({ action: 'repo.handed_over', detail: { user_id: heir.id } });
      const ofForeign = (await stores.audit.listOfRepo(foreign.id, everything)).items.map(({ act }) => act.action);
      expect(ofForeign).toContain('issue.cancelled');
    });

    it('deletes all that is theirs, and leaves a row that names nobody', async () => {
      await using stores = await open();
      const leaver = await colleague(stores);
      const { id: userId } = leaver;
      const repo = await registeredRepo(stores);
      await stores.members.put({ repoId: repo.id, userId, role: 'viewer', origin: 'added' });
      const account = anAccount();
      await stores.codehostLinks.link(userId, account, anEncryptedGrant());
      const oidc = { issuer: 'https://id.example.test', subject: 'ada', email: null, name: null };
      const grants = { isOperator: false, roles: new Map(), others: new Set<never>() };
      await stores.oidcIdentities.link(userId, oidc, { grants });
      const expiresAt = new Date(stores.clock.now().getTime() + 60_000);
      const token = aNewApiToken({ userId, expiresAt });
      await stores.apiTokens.create(token);
      const target = aTarget(userId);
      await stores.notifications.createTarget(target, null);
      await stores.users.changePreferences(userId, { theme: 'dark' });
      await stores.budgets.set({ kind: 'user', subject: userId }, { costUsd: 1, tokens: null });
      const session = await startedSession(stores, userId);

      const deleted = await leave(stores, leaver);
      expect(deleted.endedSessions).toContain(session.id);
      expect(deleted).toMatchObject({ endedTokens: [token.id], codehostGrant: anEncryptedGrant().encryptedToken });
      expect(await stores.users.account(userId)).toMatchObject({
        user: { id: userId, email: null, name: null, avatarUrl: null, codehostId: null, codehostLogin: null },
        hasPassword: false,
        liveSessions: 0,
        disabledAt: stores.clock.now(),
        deletedAt: stores.clock.now(),
      });
      expect(await stores.sessions.find(session.id)).toBeNull();
      expect(await stores.apiTokens.find({ id: token.id })).toBeNull();
      expect(await stores.codehostLinks.grant(userId)).toBeNull();
      expect(await stores.oidcIdentities.list(userId)).toEqual([]);
      expect(await stores.notifications.targets(userId)).toEqual([]);
      expect(await stores.members.role(repo.id, userId)).toBeNull();
      expect(await stores.users.preferences(userId)).toMatchObject({ theme: 'system' });
      // Nothing brings it back, and the e-mail and the accounts elsewhere are free.
      await stores.users.enable(userId);
      expect(await stores.users.changeAccount(userId, { passwordHash: 'x', keep: null })).toEqual({ kind: 'stale' });
      expect(await stores.sessions.create({ id: newId(), userId, expiresAt })).toBeNull();
      expect(await stores.members.put({ repoId: repo.id, userId, role: 'admin', origin: 'added' })).toEqual({
        kind: 'absent',
      });
      const again = await stores.users.create(aNewUser({ email: leaver.email ?? '' }));
      expect(again.kind).toBe('created');
      const newUser = { id: newId<UserId>(), onlyIfFirst: false, firstIsOperator: false };
      expect(await stores.oidcIdentities.signIn(oidc, grants, newUser)).toMatchObject({ kind: 'created' });
      const atHost = await stores.codehostLinks.signIn(account, () => anEncryptedGrant(), { ...newUser, id: newId() });
      expect(atHost).toMatchObject({ kind: 'created' });
    });

    it('gives a repository only to an admin who can be its registrant, without the access token', async () => {
      await using stores = await open();
      const operator = await registeredUser(stores);
      const leaver = await colleague(stores);
      const ofLeaver = (overrides: Parameters<typeof aNewRepo>[0]) =>
        registeredRepo(stores, { userId: leaver.id, ...overrides });
      const hosted = await ofLeaver({ provider: 'codehost', codehostRepoId: '7' });
      const folder = await ofLeaver({ url: '/srv/git/shop', canonicalRemote: '/srv/git/shop' });
      const plain = await ofLeaver({ accessToken: { encrypted: 'k1:AAAA', nonce: 'BBBB' } });
      for (const repo of [hosted, folder]) await adminOf(stores, repo);
      const linked = await adminOf(stores, hosted);
      await stores.codehostLinks.link(linked.id, anAccount(), anEncryptedGrant());
      await adminOf(stores, folder, operator);
      const disabled = await adminOf(stores, plain);
      await stores.users.disable(disabled.id);
      const same = await adminOf(stores, plain);
      await registeredRepo(stores, { userId: same.id, canonicalRemote: plain.canonicalRemote });
      const heir = await adminOf(stores, plain);

      await leave(stores, leaver, operators);
      expect((await stores.repos.get(hosted.id))?.userId).toBe(linked.id);
      expect((await stores.repos.get(folder.id))?.userId).toBe(operator.id);
      expect(await stores.repos.get(plain.id)).toMatchObject({ userId: heir.id, accessToken: null });
      const [entry] = (await stores.audit.listOfRepo(plain.id, everything)).items;
      expect(entry?.act.detail).toMatchObject({ token_dropped: true });
    });

    it('is refused to the last operator, and of two at once one stays', async () => {
      await using stores = await open();
      const [first, second] = [await registeredUser(stores), await registeredUser(stores)];
      expect(await stores.deletions.plan(first.id, anybody)).toMatchObject({ isLastOperator: true });
      await expect(leave(stores, first)).rejects.toMatchObject({ code: 'last_operator' });
      expect(await stores.users.get(first.id)).toMatchObject({ isOperator: true, email: first.email });
      await stores.users.grantOperator(second.id);
      const outcomes = await Promise.allSettled([leave(stores, first), leave(stores, second)]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      const { items } = await stores.users.accounts(everything);
      expect(items.filter(({ deletedAt }) => deletedAt === null)).toMatchObject([{ user: { isOperator: true } }]);
    });

    it('leaves an operator one until the account is gone', async () => {
      await using stores = await open();
      const [leaver, other] = [await registeredUser(stores), await registeredUser(stores)];
      await stores.users.grantOperator(other.id);
      await queued(stores, await registeredRepo(stores), leaver);
      const proof = await proofOf(stores, leaver);
      expect(await stores.deletions.begin(proof)).toBe('begun');
      expect(await stores.deletions.finish(proof)).toEqual({ kind: 'busy' });
      expect(await stores.users.get(leaver.id)).toMatchObject({ isOperator: true });
      await leave(stores, leaver);
      expect(await stores.users.account(leaver.id)).toMatchObject({ user: { isOperator: false } });
      const acts = (await stores.audit.list(leaver.id, everything)).items.map(({ act }) => act.action);
      expect(acts).toEqual(expect.arrayContaining(['account.operator_revoked', 'account.deleted']));
    });

    it('is done once, however often it is asked for at the same time', async () => {
      await using stores = await open();
      const leaver = await colleague(stores);
      const repo = await registeredRepo(stores, { userId: leaver.id });
      await queued(stores, repo, leaver);
      const proof = await proofOf(stores, leaver);
      const act = { by: byUser(leaver.id), rules: anybody };
      const outcomes = await atOnce(4, () =>
        deleteAccount(stores, proof, act).then(
          ({ kind }) => kind,
          (error: unknown) => (error as AppError).code,
        ),
      );
      expect(outcomes.toSorted()).toEqual(['deleted', 'session_missing', 'session_missing', 'session_missing']);
      expect(await stores.users.account(leaver.id)).toMatchObject({ deletedAt: stores.clock.now() });
      const acts = (await stores.audit.list(leaver.id, everything)).items.map(({ act }) => act.action);
      for (const action of ['account.deleted', 'repo.removed', 'issue.cancelled'] as const) {
        expect(acts.filter((one) => one === action)).toHaveLength(1);
      }
    });

    it('ends nothing for a session that has ended, a password that was changed, or a factor that was used', async () => {
      await using stores = await open();
      const leaver = await colleague(stores);
      const { deletions, secondFactors, sessions, users } = stores;
      const ended = await proofOf(stores, leaver);
      await sessions.revoke(ended.sessionId);
      expect(await deletions.begin(ended)).toBe('stale');
      const outdated = await proofOf(stores, leaver);
      await users.changeAccount(leaver.id, { passwordHash: 'new', keep: outdated.sessionId });
      expect([await deletions.begin(outdated), (await deletions.finish(outdated)).kind]).toEqual(['stale', 'stale']);

      const proof = await proofOf(stores, leaver);
      const { userId, sessionId: keep } = proof;
      const challenge = async (purpose: 'totp' | 'login' | 'deletion') => {
        const hash = newId();
        const expiresAt = new Date(stores.clock.now().getTime() + 60_000);
        const bound = { passwordDigest: 'd', sessionId: keep, toSign: null };
        await secondFactors.begin({ hash, userId, purpose, ...bound, expiresAt });
        return hash;
      };
      const app = anApp(userId, 100);
      const change = { userId, keep, ifPasswordHash: proof.ifPasswordHash ?? '' };
      await secondFactors.add(app, { ...change, challengeHash: await challenge('totp'), codeHashes: ['one'] });
      const by = async (purpose: 'login' | 'deletion', step: number): Promise<DeletionProof> => ({
        ...proof,
        secondFactor: { challengeHash: await challenge(purpose), use: { kind: 'totp', factorId: app.id, step } },
      });
      expect(await deletions.begin(proof)).toBe('stale'); // without the factor
      expect(await deletions.begin(await by('login', 101))).toBe('stale');
      const right = await by('deletion', 102);
      expect(await deletions.begin(right)).toBe('begun');
      expect(await deletions.begin(right)).toBe('stale');
      expect(await users.account(userId)).toMatchObject({ deletedAt: null });
    });

    it('does not end before new work, which comes before it or not at all', async () => {
      await using stores = await open();
      const leaver = await colleague(stores);
      const proof = await proofOf(stores, leaver);
      const repo = await registeredRepo(stores, { userId: leaver.id });
      expect(await stores.deletions.finish(proof)).toEqual({ kind: 'busy' });
      const outcomes = await atOnce(6, async (at) => {
        if (at === 3) return await leave(stores, leaver).then(({ kind }) => ({ kind }));
        const made = stores.repos.create(aNewRepo({ userId: leaver.id })).then(
          ({ kind }) => ({ kind }),
          () => ({ kind: 'refused' }),
        );
        return await made;
      });
      expect(tally(outcomes)).toMatchObject({ deleted: 1 });
      expect(await stores.deletions.repos(leaver.id)).toEqual([]);
      expect(await stores.repos.get(repo.id)).toBeNull();
      await expect(stores.repos.create(aNewRepo({ userId: leaver.id }))).rejects.toMatchObject({
        code: 'account_disabled',
      });
    });

    it('goes on where it was interrupted', async () => {
      await using stores = await open();
      const leaver = await colleague(stores);
      const repos = [
        await registeredRepo(stores, { userId: leaver.id }),
        await registeredRepo(stores, { userId: leaver.id }),
      ];
      const { deletions } = stores;
      let settled = 0;
      const dying = {
        ...deletions,
        settleRepo: (...args: Parameters<typeof deletions.settleRepo>) => {
          if (settled === 1) throw new Error('killed');
          settled += 1;
          return deletions.settleRepo(...args);
        },
      };
      const proof = await proofOf(stores, leaver);
      const act = { by: byUser(leaver.id), rules: anybody };
      await expect(deleteAccount({ ...stores, deletions: dying }, proof, act)).rejects.toThrow('killed');
      expect(await stores.users.credentials(leaver.email ?? '')).toMatchObject({ user: leaver });
      expect(await stores.sessions.find(proof.sessionId)).not.toBeNull();
      const left = await Promise.all(repos.map(({ id }) => stores.repos.get(id)));
      expect(left.filter((repo) => repo !== null)).toHaveLength(1);
      expect(await deleteAccount(stores, proof, act)).toMatchObject({ kind: 'deleted' });
      expect(await stores.users.credentials(leaver.email ?? '')).toBeNull();
    });

    it('leaves follow-ups of their issues to the admin who has the repository now', async () => {
      await using stores = await open();
      const leaver = await colleague(stores);
      const repo = await registeredRepo(stores, { userId: leaver.id });
      const heir = await adminOf(stores, repo);
      const { id: parentIssueId } = await queued(stores, repo, leaver);
      await leave(stores, leaver);
      const followUp = newIssueOn(repo, { userId: leaver.id, origin: 'follow_up', parentIssueId });
      expect(await stores.issues.create(followUp, { queue: true })).toMatchObject({
        kind: 'applied',
        issue: { userId: heir.id },
      });
      const plain = newIssueOn(repo, { userId: leaver.id });
      await expect(stores.issues.create(plain, { queue: false })).rejects.toMatchObject({ code: 'account_disabled' });
    });
  });
}
