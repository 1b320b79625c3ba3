import type { Role } from '@sluice/core/access';
import type { RepoId, UserId } from '@sluice/core/id';
import type { GroupGrants, OidcAccount } from '@sluice/core/oidc';
import { describe, expect, it } from 'vitest';
import { newId } from '../builder/ids.ts';
import { atOnce, type OpenStores, registeredRepo, registeredUser, type StoreHarness } from './store-harness.ts';

const issuer = 'https://id.example.test';
const nothing: GroupGrants = { isOperator: false, roles: new Map(), others: new Set() };
const giving = (...roles: [RepoId, Role][]): GroupGrants => ({ ...nothing, roles: new Map(roles) });
const ways = { passwords: true, codehost: true, issuers: [issuer] };
const MINUTE_MS = 60_000;

function anOidcAccount(overrides: Partial<OidcAccount> = {}): OidcAccount {
  const subject = newId();
  return { issuer, subject, email: `${subject}@example.test`, name: 'Ada', ...overrides };
}

const newUser = (overrides = {}) => ({ id: newId<UserId>(), onlyIfFirst: false, firstIsOperator: true, ...overrides });

async function signedIn(stores: StoreHarness, account: OidcAccount, grants = nothing) {
  const outcome = await stores.oidcIdentities.signIn(account, grants, newUser());
  if (!('user' in outcome)) throw new Error(`not signed in: ${outcome.kind}`);
  return outcome;
}

/** The accounts of users at OpenID providers. */
export function oidcIdentityContract(name: string, open: OpenStores): void {
  describe(`accounts at OpenID providers on ${name}`, () => {
    it('make one user each, however many sign in at once, and by issuer and subject alone', async () => {
      await using stores = await open();
      await registeredUser(stores); // the first, an operator
      const account = anOidcAccount();
      const outcomes = await atOnce(4, () => stores.oidcIdentities.signIn(account, nothing, newUser()));
      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['created', 'matched', 'matched', 'matched']);
      const ids = new Set(outcomes.map((one) => ('user' in one ? one.user.id : null)));
      expect(ids.size).toBe(1);
      const elsewhere = await signedIn(stores, { ...account, issuer: 'https://other.example.test' });
      expect(elsewhere).toMatchObject({ kind: 'created', user: { email: null, isOperator: false } });
      const renamed = await signedIn(stores, { ...account, email: 'new@example.test', name: 'Other' });
      expect(renamed).toMatchObject({ kind: 'matched', user: { email: account.email, name: 'Ada' } });
    });

    it('make no user for a taken e-mail the user of it, for a closed registration, or for a disabled user', async () => {
      await using stores = await open();
      const owner = await registeredUser(stores);
      const { user } = await signedIn(stores, anOidcAccount({ email: owner.email?.toUpperCase() ?? '' }));
      expect(user.id).not.toBe(owner.id);
      expect(user.email).toBeNull();
      const { oidcIdentities } = stores;
      expect(await oidcIdentities.signIn(anOidcAccount(), nothing, null)).toEqual({ kind: 'closed' });
      const onlyFirst = newUser({ onlyIfFirst: true });
      expect(await oidcIdentities.signIn(anOidcAccount(), nothing, onlyFirst)).toEqual({ kind: 'closed' });
      const account = anOidcAccount();
      const other = await signedIn(stores, account);
      await stores.users.disable(other.user.id);
      expect(await oidcIdentities.signIn(account, nothing, newUser())).toEqual({ kind: 'disabled' });
    });

    it('give the first user the flag of the operator where no group does', async () => {
      await using stores = await open();
      const first = await stores.oidcIdentities.signIn(anOidcAccount(), nothing, newUser({ firstIsOperator: false }));
      expect(first).toMatchObject({ kind: 'created', user: { isOperator: false } });
    });

    it('give and take roles, with an audit entry each, and leave what an admin gave', async () => {
      await using stores = await open();
      const [shop, docs, site, gone] = [
        await registeredRepo(stores),
        await registeredRepo(stores),
        await registeredRepo(stores),
        newId<RepoId>(),
      ];
      const account = anOidcAccount();
      const { user, ungranted } = await signedIn(stores, account, giving([shop.id, 'approver'], [gone, 'viewer']));
      expect(ungranted).toEqual([gone]);
      await stores.members.put({ repoId: docs.id, userId: user.id, role: 'viewer', origin: 'added' });
      const role = (repoId: RepoId) => stores.members.role(repoId, user.id);
      expect(await role(shop.id)).toBe('approver');

      const second = await signedIn(stores, account, giving([docs.id, 'admin'], [site.id, 'viewer']));
      expect(second).toMatchObject({ accessChanged: true, ungranted: [] });
      expect([await role(shop.id), await role(docs.id), await role(site.id)]).toEqual([null, 'viewer', 'viewer']);
      expect(await signedIn(stores, account, giving([site.id, 'viewer']))).toMatchObject({ accessChanged: false });
      const kept = { ...nothing, others: new Set([site.id]) };
      await signedIn(stores, account, kept);
      expect(await role(site.id)).toBe('viewer');
      const acts = (await stores.audit.listOfRepo(shop.id, { limit: 9, cursor: null })).items;
      expect(acts.map(({ act, actor }) => [act.action, actor.kind])).toEqual([
        ['repo.member_removed', 'service'],
        ['repo.member_put', 'service'],
      ]);
    });

    it('take the flag of the operator only where they gave it, and never from the last one', async () => {
      await using stores = await open();
      const operators = { ...nothing, isOperator: true };
      const account = anOidcAccount();
      const first = await stores.oidcIdentities.signIn(account, operators, newUser({ firstIsOperator: false }));
      expect(first).toMatchObject({ user: { isOperator: true } });
      expect(await signedIn(stores, account)).toMatchObject({ user: { isOperator: true } }); // the last one
      const other = await registeredUser(stores);
      await stores.users.grantOperator(other.id);
      expect(await signedIn(stores, account)).toMatchObject({ user: { isOperator: false } });
      await stores.oidcIdentities.link(other.id, anOidcAccount(), { grants: nothing });
      expect(await stores.users.get(other.id)).toMatchObject({ isOperator: true });
    });

    it('belong to one user, one at each provider, until they are unlinked', async () => {
      await using stores = await open();
      const { oidcIdentities } = stores;
      const [ada, eve] = [await registeredUser(stores), await registeredUser(stores)];
      const repo = await registeredRepo(stores);
      const account = anOidcAccount();
      const link = (userId: UserId, one = account) =>
        oidcIdentities.link(userId, one, { grants: giving([repo.id, 'viewer']) });
      const outcomes = await Promise.all([link(ada.id), link(eve.id)]);
      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['linked', 'taken']);
      const [owner, other] = outcomes[0]?.kind === 'linked' ? [ada, eve] : [eve, ada];
      expect((await link(owner.id, anOidcAccount())).kind).toBe('linked_to_another');
      expect((await link(newId<UserId>())).kind).toBe('absent');
      expect(await oidcIdentities.list(owner.id)).toMatchObject([{ issuer }]);
      expect(await stores.members.role(repo.id, owner.id)).toBe('viewer');

      const left = { others: ways, grants: nothing };
      expect(await oidcIdentities.unlink({ userId: other.id, issuer }, left)).toBe('not_linked');
      const noPasswords = { ...left, others: { ...ways, passwords: false } };
      expect(await oidcIdentities.unlink({ userId: owner.id, issuer }, noPasswords)).toBe('only_login');
      const unlinked = await atOnce(2, () => oidcIdentities.unlink({ userId: owner.id, issuer }, left));
      expect(unlinked.toSorted()).toEqual(['not_linked', 'unlinked']);
      expect(await stores.members.role(repo.id, owner.id)).toBeNull();
    });

    it('end their sessions by the session or the account of the provider, once for each token', async () => {
      await using stores = await open();
      const { clock } = stores;
      const account = anOidcAccount();
      const { user } = await signedIn(stores, account);
      const expiresAt = new Date(clock.now().getTime() + MINUTE_MS);
      const session = async (provider: { issuer: string; sid: string | null } | null) => {
        const made = await stores.sessions.create({ id: newId(), userId: user.id, expiresAt, provider });
        return made?.id ?? newId();
      };
      const one = await session({ issuer, sid: 'one' });
      const two = await session({ issuer, sid: 'two' });
      const foreign = await session({ issuer: 'https://other.example.test', sid: 'one' });
      const own = await session(null);
      const token = (more: { subject?: string; sid?: string }) => ({
        issuer,
        subject: null,
        sid: null,
        ...more,
        tokenId: newId(),
        expiresAt,
      });
      const bySid = token({ sid: 'one' });
      const ended = await atOnce(3, () => stores.oidcIdentities.endSessions(bySid));
      expect(ended.filter((sessions) => sessions !== null)).toEqual([[one]]);
      expect(await stores.oidcIdentities.endSessions(token({ sid: 'two', subject: 'nobody' }))).toEqual([]);
      expect(await stores.oidcIdentities.endSessions(token({ subject: account.subject }))).toEqual([two]);
      for (const id of [foreign, own]) expect(await stores.sessions.find(id)).not.toBeNull();
      expect((await stores.sessions.find(own))?.session.oidcIssuer).toBeNull();
      expect((await stores.sessions.find(foreign))?.session.oidcIssuer).toBe('https://other.example.test');
      clock.advance(MINUTE_MS);
      expect(await stores.oidcIdentities.endSessions(bySid)).toEqual([]); // it has expired, and is forgotten
    });
  });
}
