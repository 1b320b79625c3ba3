import type { User } from '@sluice/core/account';
import type { SignInOutcome } from '@sluice/core/code-host';
import type { UserId } from '@sluice/core/id';
import { describe, expect, it } from 'vitest';
import { aNewUser } from '../builder/a-user.ts';
import { newId } from '../builder/ids.ts';
import { codeHostGrantContract } from './code-host-grant.contract.ts';
import { anAccount, anEncryptedGrant } from './code-host-samples.ts';
import { atOnce, type OpenStores, registeredUser, type StoreHarness, startedSession, tally } from './store-harness.ts';

/** What a `CodeHostLinkStore` promises, on any database. */
export function codeHostLinkContract(name: string, open: OpenStores): void {
  describe(`accounts at the code host on ${name}`, () => {
    describe('a sign-in', () => {
      it('creates a user without e-mail and password, with an encrypted grant', async () => {
        await using stores = await open();
        const account = anAccount();
        const id = newId<UserId>();
        const outcome = await stores.codehostLinks.signIn(account, (id) => anEncryptedGrant(id), {
          id,
          onlyIfFirst: false,
        });
        const user = {
          id,
          email: null,
          emailVerifiedAt: null,
          name: account.name,
          avatarUrl: account.avatarUrl,
          codehostId: account.id,
          codehostLogin: account.login,
          isOperator: true,
          createdAt: stores.clock.now(),
        };
        expect(outcome).toEqual({ kind: 'created', user, replaced: null });
        expect(await stores.users.get(id)).toEqual(user);
        expect(await stores.users.credentials('')).toBeNull();
        expect(await stores.users.credentials('null')).toBeNull();
        expect(await stores.codehostLinks.grant(id)).toEqual({ ...anEncryptedGrant(id), version: 1, refused: false });
        const session = await startedSession(stores, id);
        expect((await stores.sessions.find(session.id))?.user).toEqual(user);
      });

      it('is refused to a user who is disabled, and writes nothing of it', async () => {
        await using stores = await open();
        const account = anAccount();
        const { user } = signedIn(await signIn(stores, account));
        await stores.users.disable(user.id);
        const grant = await stores.codehostLinks.grant(user.id);
        const renamed = { ...account, login: 'another' };
        expect(await stores.codehostLinks.signIn(renamed, () => anEncryptedGrant('two'), null)).toEqual({
          kind: 'disabled',
        });
        expect(await stores.users.get(user.id)).toEqual(user);
        expect(await stores.codehostLinks.grant(user.id)).toEqual(grant);
        await stores.users.enable(user.id);
        expect(await signIn(stores, renamed)).toMatchObject({ kind: 'matched' });
      });

      it('finds the user by the account’s id whatever its name is now, and takes over login, picture and grant', async () => {
        await using stores = await open();
        const account = anAccount({ name: null });
        const { user } = signedIn(await signIn(stores, account));
        const renamed = { ...account, login: 'ada-l', name: 'Ada L.\0', avatarUrl: null };
        const told: unknown[] = [];
        const grantOf = (...given: unknown[]) => {
          told.push(given);
          return anEncryptedGrant('two');
        };
        const again = await stores.codehostLinks.signIn(renamed, grantOf, newcomer());
        expect(told).toEqual([[user.id, anEncryptedGrant(user.id).encryptedToken]]);
        const expected = { ...user, codehostLogin: 'ada-l', name: 'Ada L.', avatarUrl: null };
        expect(again).toEqual({ kind: 'matched', user: expected, replaced: anEncryptedGrant(user.id).encryptedToken });
        expect(await stores.users.get(user.id)).toEqual(expected);
        expect(await stores.codehostLinks.grant(user.id)).toMatchObject({ ...anEncryptedGrant('two'), version: 2 });
        const third = await signIn(stores, { ...renamed, name: 'Somebody' });
        expect(third).toMatchObject({ kind: 'matched', user: { name: 'Ada L.' } });
      });

      it('does not match a user by login, or by an e-mail that equals the account’s name', async () => {
        await using stores = await open();
        const account = anAccount();
        await signIn(stores, account);
        await stores.users.create(aNewUser({ email: 'ada' }));
        expect(await signIn(stores, anAccount({ login: account.login }))).toMatchObject({ kind: 'created' });
      });

      it('makes one user of an account, however many sign in with it at once', async () => {
        await using stores = await open();
        const account = anAccount();
        const outcomes = await atOnce(8, () => signIn(stores, account));
        expect(tally(outcomes)).toEqual({ created: 1, matched: 7 });
        const users = outcomes.map((outcome) => signedIn(outcome).user);
        // Each replaces another's grant, so all but the last are returned for revocation.
        expect(outcomes.filter((outcome) => signedIn(outcome).replaced === null)).toHaveLength(1);
        for (const user of users) expect(user).toEqual(users[0]);
        expect((await stores.codehostLinks.grant((users[0] as User).id))?.version).toBe(8);
      });

      it('creates no user when registration is closed, and signs existing users in', async () => {
        await using stores = await open();
        const account = anAccount();
        expect(await stores.codehostLinks.signIn(account, (id) => anEncryptedGrant(id), null)).toEqual({
          kind: 'closed',
        });
        await signIn(stores, account);
        expect(await stores.codehostLinks.signIn(account, (id) => anEncryptedGrant(id), null)).toMatchObject({
          kind: 'matched',
        });
      });

      it('creates one first user among concurrent registrations and sign-ins', async () => {
        await using stores = await open();
        const outcomes = await atOnce(8, async (index) =>
          index % 2 === 0
            ? await stores.users.create(aNewUser({ onlyIfFirst: true }))
            : await stores.codehostLinks.signIn(anAccount(), (id) => anEncryptedGrant(id), {
                ...newcomer(),
                onlyIfFirst: true,
              }),
        );
        expect(tally(outcomes)).toEqual({ created: 1, closed: 7 });
      });
    });

    describe('a link', () => {
      it('gives an account to a user, who may renew it but not change it', async () => {
        await using stores = await open();
        const user = await registeredUser(stores);
        const account = anAccount();
        const linked = { ...user, codehostId: account.id, codehostLogin: 'ada', avatarUrl: account.avatarUrl };
        const link = (one = account, text = 'one') => stores.codehostLinks.link(user.id, one, anEncryptedGrant(text));
        expect(await link()).toEqual({ kind: 'linked', user: linked, replaced: null });
        expect(await stores.users.get(user.id)).toEqual(linked);
        expect(await link(anAccount(), 'two')).toEqual({ kind: 'linked_to_another' });
        expect(await stores.codehostLinks.grant(user.id)).toMatchObject({ ...anEncryptedGrant('one'), version: 1 });
        await stores.codehostLinks.refuseGrant(user.id, 1);
        expect(await link(account, 'three')).toMatchObject({
          kind: 'linked',
          replaced: anEncryptedGrant('one').encryptedToken,
        });
        expect(await stores.codehostLinks.grant(user.id)).toMatchObject({
          ...anEncryptedGrant('three'),
          refused: false,
        });
        expect(await signIn(stores, account)).toMatchObject({ kind: 'matched', user: { id: user.id } });
        expect(await stores.codehostLinks.link(newId(), anAccount(), anEncryptedGrant())).toEqual({ kind: 'absent' });
      });

      it('gives an account to one user, however many link and sign in with it at once', async () => {
        await using stores = await open();
        const account = anAccount();
        const users = await atOnce(4, () => registeredUser(stores));
        const outcomes = await Promise.all([
          ...users.map(({ id }) => stores.codehostLinks.link(id, account, anEncryptedGrant(id))),
          ...[1, 2].map(() => signIn(stores, account)),
        ]);
        const owners = new Set(outcomes.flatMap((one) => ('user' in one ? [one.user.id] : [])));
        expect(owners.size).toBe(1);
        const [owner = ''] = owners;
        for (const { id } of users) {
          expect((await stores.users.get(id))?.codehostId).toBe(id === owner ? account.id : null);
          if (id !== owner) expect(await stores.codehostLinks.grant(id)).toBeNull();
        }
        expect(tally(outcomes)).toMatchObject({ taken: users.some(({ id }) => id === owner) ? 3 : 4 });
      });

      const others = { passwords: true, codehost: true, issuers: [] };

      it('ends with its grant, unless there is no other way to log in', async () => {
        await using stores = await open();
        const { codehostLinks, users } = stores;
        const { id } = await registeredUser(stores);
        const account = anAccount();
        expect(await codehostLinks.unlink(id, others)).toBe('not_linked');
        expect(await codehostLinks.unlink(newId(), others)).toBe('not_linked');
        await codehostLinks.link(id, account, anEncryptedGrant());
        const unlinked = await atOnce(3, () => codehostLinks.unlink(id, others));
        expect(unlinked.toSorted()).toEqual(['not_linked', 'not_linked', 'unlinked']);
        expect(await users.get(id)).toMatchObject({ codehostId: null, codehostLogin: null });
        expect(await codehostLinks.grant(id)).toBeNull();

        const { user } = signedIn(await signIn(stores, account));
        expect(user.id).not.toBe(id);
        expect(await codehostLinks.unlink(user.id, others)).toBe('only_login');
        await users.changeAccount(user.id, { passwordHash: 'without an e-mail to go with it', keep: null });
        expect(await codehostLinks.unlink(user.id, others)).toBe('only_login');
        expect(await codehostLinks.grant(user.id)).not.toBeNull();
        const atProvider = { issuer: 'https://id.example.test', subject: 's', email: null, name: null };
        const grants = { isOperator: false, roles: new Map(), others: new Set<never>() };
        await stores.oidcIdentities.link(user.id, atProvider, { grants });
        expect(await codehostLinks.unlink(user.id, others)).toBe('only_login');
        expect(await codehostLinks.unlink(user.id, { ...others, issuers: [atProvider.issuer] })).toBe('unlinked');
      });

      it('stays where only a password is left that the server does not accept', async () => {
        await using stores = await open();
        const { id } = await registeredUser(stores);
        await stores.codehostLinks.link(id, anAccount(), anEncryptedGrant());
        expect(await stores.codehostLinks.unlink(id, { ...others, passwords: false })).toBe('only_login');
      });
    });

    codeHostGrantContract(open);
  });
}

const newcomer = () => ({ id: newId<UserId>(), onlyIfFirst: false });

function signIn(stores: StoreHarness, account: ReturnType<typeof anAccount>): Promise<SignInOutcome> {
  return stores.codehostLinks.signIn(account, (id) => anEncryptedGrant(id), newcomer());
}

function signedIn(outcome: SignInOutcome) {
  if (outcome.kind === 'closed' || outcome.kind === 'disabled') throw new Error('nobody was let in');
  return outcome;
}
