import { linkEnd, mostLinks, type User } from '@sluice/core/account';
import type { UserId } from '@sluice/core/id';
import { describe, expect, it } from 'vitest';
import { aNewApiToken } from '../builder/an-api-token.ts';
import { newId } from '../builder/ids.ts';
import { anAccount, anEncryptedGrant } from './code-host-samples.ts';
import {
  atOnce,
  type OpenStores,
  registeredRepo,
  registeredUser,
  type StoreHarness,
  startedSession,
} from './store-harness.ts';

type Purpose = 'password_reset' | 'email_verification';

/** Puts a link for a user. @returns its hash, or null when it was not given */
async function linkFor(
  { accountLinks, clock }: StoreHarness,
  { id: userId, email }: User,
  purpose: Purpose = 'password_reset',
): Promise<string | null> {
  const tokenHash = newId<string>();
  const expiresAt = linkEnd(purpose, clock.now());
  return (await accountLinks.put({ tokenHash, purpose, userId, email: email ?? '', expiresAt })) ? tokenHash : null;
}

/** All that somebody can make in an account besides a password: API tokens, accounts that sign in, and what those bring. */
async function ownedByAnother(stores: StoreHarness, userId: UserId) {
  const expiresAt = linkEnd('email_verification', stores.clock.now());
  const tokens = [aNewApiToken({ userId, expiresAt }), aNewApiToken({ userId, expiresAt })];
  for (const token of tokens) await stores.apiTokens.create(token);
  const account = anAccount();
  const grant = anEncryptedGrant();
  await stores.codehostLinks.link(userId, account, grant);
  const { id: repoId } = await registeredRepo(stores);
  const grants = { isOperator: true, roles: new Map([[repoId, 'viewer' as const]]), others: new Set<never>() };
  for (const issuer of ['https://id.example.test', 'https://other.example.test']) {
    const identity = { issuer, subject: newId(), email: null, name: null };
    await stores.oidcIdentities.link(userId, identity, { grants });
  }
  const loginGrant = { grantHash: newId<string>(), challenge: 'c', userId, provider: null, expiresAt };
  await stores.signInFlows.putLoginGrant(loginGrant);
  const left = async () => ({
    tokens: (await stores.apiTokens.list({ userId }, { limit: 9, cursor: null })).items.length,
    identities: (await stores.oidcIdentities.list(userId)).length,
    codehost: (await stores.users.get(userId))?.codehostLogin ?? null,
    grant: await stores.codehostLinks.grant(userId),
    role: await stores.members.role(repoId, userId),
    isOperator: (await stores.users.get(userId))?.isOperator,
    loginGrant: await stores.signInFlows.takeLoginGrant(loginGrant.grantHash),
  });
  return { tokens: tokens.map(({ id }) => id), account, grant, left };
}

/** What an `AccountLinkStore` promises, on any database. */
export function accountLinkContract(name: string, open: OpenStores): void {
  describe(`links to accounts on ${name}`, () => {
    it('reset a password once, of two that use one at the same time', async () => {
      await using stores = await open();
      const { accountLinks, users } = stores;
      const user = await registeredUser(stores);
      const sessions = [await startedSession(stores, user.id), await startedSession(stores, user.id)];
      const tokenHash = (await linkFor(stores, user)) ?? '';
      expect(await accountLinks.isLive(tokenHash, 'password_reset')).toBe(true);
      const outcomes = await atOnce(4, (at) => accountLinks.resetPassword({ tokenHash, passwordHash: `hash ${at}` }));
      const [won, ...others] = outcomes.filter((outcome) => outcome !== null);
      expect(others).toEqual([]);
      expect(won?.endedSessions.toSorted()).toEqual(sessions.map(({ id }) => id).toSorted());
      expect(won?.user).toMatchObject({ id: user.id, emailVerifiedAt: stores.clock.now() });
      const at = outcomes.findIndex((outcome) => outcome !== null);
      expect(await users.passwordHash(user.id)).toBe(`hash ${at}`);
      expect(await accountLinks.isLive(tokenHash, 'password_reset')).toBe(false);
    });

    it('end all that another person may have made, where the reset is the first to verify the address', async () => {
      await using stores = await open();
      await registeredUser(stores); // the first, an operator
      const user = await registeredUser(stores);
      const { tokens, account, grant, left } = await ownedByAnother(stores, user.id);
      const colleague = await registeredUser(stores);
      await stores.apiTokens.create(
        aNewApiToken({ userId: colleague.id, expiresAt: linkEnd('email_verification', stores.clock.now()) }),
      );
      await startedSession(stores, user.id);
      const tokenHash = (await linkFor(stores, user)) ?? '';
      const counted: unknown[] = [];
      const reset = await stores.accountLinks.resetPassword({ tokenHash, passwordHash: 'x' }, (userId, ended) => {
        counted.push(ended);
        const detail = { sessions_ended: ended.sessions };
        const act = { action: 'account.password_reset', subjectId: null, detail } as const;
        return { userId, actor: { kind: 'user', sessionId: null }, act };
      });
      expect(reset).toMatchObject({ unlinked: 3, codehostGrant: grant.encryptedToken });
      expect(reset?.endedTokens.toSorted()).toEqual(tokens.toSorted());
      expect(reset?.user).toMatchObject({ codehostId: null, isOperator: false, emailVerifiedAt: stores.clock.now() });
      expect(counted).toEqual([{ sessions: 1, tokens: 2, unlinked: 3 }]);
      const nothing = { tokens: 0, identities: 0, codehost: null, grant: null, role: null, isOperator: false };
      expect(await left()).toEqual({ ...nothing, loginGrant: null });
      const others = await stores.apiTokens.list({ userId: colleague.id }, { limit: 9, cursor: null });
      expect(others.items).toHaveLength(1);
      const newcomer = { id: newId<UserId>(), onlyIfFirst: false };
      const signedIn = await stores.codehostLinks.signIn(account, () => grant, newcomer);
      expect(signedIn).toMatchObject({ kind: 'created', user: { id: newcomer.id } });
    });

    it('leave tokens and linked accounts where the address was verified before', async () => {
      await using stores = await open();
      const user = await registeredUser(stores);
      await stores.accountLinks.verifyEmail((await linkFor(stores, user, 'email_verification')) ?? '');
      const { account, grant, left } = await ownedByAnother(stores, user.id);
      const tokenHash = (await linkFor(stores, user)) ?? '';
      const reset = await stores.accountLinks.resetPassword({ tokenHash, passwordHash: 'x' });
      expect(reset).toMatchObject({ endedTokens: [], unlinked: 0, codehostGrant: null });
      expect(await left()).toMatchObject({
        ...{ tokens: 2, identities: 2, codehost: account.login, grant, role: 'viewer', isOperator: true },
        loginGrant: { userId: user.id },
      });
    });

    it('serve one purpose, until they expire', async () => {
      await using stores = await open();
      const { accountLinks, clock } = stores;
      const user = await registeredUser(stores);
      const [reset, verify] = [await linkFor(stores, user), await linkFor(stores, user, 'email_verification')];
      expect(await accountLinks.verifyEmail(reset ?? '')).toBeNull();
      expect(await accountLinks.resetPassword({ tokenHash: verify ?? '', passwordHash: 'x' })).toBeNull();
      clock.advance(30 * 60_000);
      expect(await accountLinks.isLive(reset ?? '', 'password_reset')).toBe(false);
      expect(await accountLinks.resetPassword({ tokenHash: reset ?? '', passwordHash: 'x' })).toBeNull();
      expect(await accountLinks.verifyEmail(verify ?? '')).toMatchObject({ emailVerifiedAt: clock.now() });
      expect(await accountLinks.verifyEmail(verify ?? '')).toBeNull();
    });

    it('are void after a new password or another address, which is unverified', async () => {
      await using stores = await open();
      const { accountLinks, users } = stores;
      const user = await registeredUser(stores);
      const ofPassword = await linkFor(stores, user);
      const verify = await linkFor(stores, user, 'email_verification');
      await users.changeAccount(user.id, { passwordHash: 'new', keep: null });
      expect(await accountLinks.isLive(ofPassword ?? '', 'password_reset')).toBe(false);
      expect(await accountLinks.verifyEmail(verify ?? '')).not.toBeNull();
      const ofAddress = await linkFor(stores, user);
      const sameAddress = await users.changeAccount(user.id, { email: user.email?.toUpperCase(), keep: null });
      expect(sameAddress).toMatchObject({ user: { emailVerifiedAt: stores.clock.now() } });
      expect(await accountLinks.isLive(ofAddress ?? '', 'password_reset')).toBe(true);
      const moved = await users.changeAccount(user.id, { email: 'elsewhere@example.test', keep: null });
      expect(moved).toMatchObject({ user: { emailVerifiedAt: null } });
      expect(await accountLinks.resetPassword({ tokenHash: ofAddress ?? '', passwordHash: 'x' })).toBeNull();
      expect(await linkFor(stores, user)).toBeNull(); // the address of before
    });

    it('reset no password of an account that has none, but verify its address', async () => {
      await using stores = await open();
      const email = 'ada@example.test';
      const account = { issuer: 'https://id.example.test', subject: 'ada', email, name: null };
      const newUser = { id: newId<UserId>(), onlyIfFirst: false, firstIsOperator: true };
      const groups = { isOperator: false, roles: new Map(), others: new Set<never>() };
      const signedIn = await stores.oidcIdentities.signIn(account, groups, newUser);
      expect(signedIn).toMatchObject({ kind: 'created', user: { email, emailVerifiedAt: stores.clock.now() } });
      const { user } = signedIn as { user: User };
      expect(await linkFor(stores, user)).toBeNull();
      expect(await linkFor(stores, user, 'email_verification')).not.toBeNull();
    });

    it('are not given to a disabled user, and do nothing for one', async () => {
      await using stores = await open();
      const user = await registeredUser(stores);
      const before = (await linkFor(stores, user)) ?? '';
      await stores.users.disable(user.id);
      expect(await linkFor(stores, user)).toBeNull();
      expect(await stores.accountLinks.resetPassword({ tokenHash: before, passwordHash: 'x' })).toBeNull();
      expect(await stores.users.passwordHash(user.id)).not.toBe('x');
    });

    it('are few within an hour for each purpose, also when all ask at the same time', async () => {
      await using stores = await open();
      const user = await registeredUser(stores);
      const given = await atOnce(6, () => linkFor(stores, user));
      expect(given.filter((one) => one !== null)).toHaveLength(mostLinks.count);
      expect(await linkFor(stores, user, 'email_verification')).not.toBeNull();
      stores.clock.advance(mostLinks.withinMs);
      expect(await linkFor(stores, user)).not.toBeNull();
      await stores.maintenance.clearExpired({ before: stores.clock.now(), limit: 100 });
      expect(await stores.accountLinks.isLive(given.find((one) => one !== null) ?? '', 'password_reset')).toBe(false);
    });
  });
}
