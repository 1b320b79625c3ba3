import type { UserId } from '@sluice/core/id';
import type { GroupGrants, OidcAccount } from '@sluice/core/oidc';
import { aNewUser, newId } from '@sluice/testing';
import type { CallsOf } from './calls-of.ts';
import type { World } from './world.ts';

const DAY_MS = 86_400_000;
const later = ({ clock }: World) => new Date(clock.now().getTime() + DAY_MS);
const issuer = 'https://id.example.test';
const nothing: GroupGrants = { isOperator: false, roles: new Map(), others: new Set() };
const ways = { passwords: true, codehost: true, issuers: [issuer, 'https://other.example.test'] };

function anOidcAccount(): OidcAccount {
  const subject = newId();
  return { issuer, subject, email: `${subject}@example.test`, name: 'Ada' };
}

const aNewOidcUser = () => ({ id: newId<UserId>(), onlyIfFirst: false, firstIsOperator: false });

async function linkedUser({ stores }: World, grants: GroupGrants): Promise<OidcAccount & { userId: UserId }> {
  const user = aNewUser();
  await stores.users.create(user);
  const account = anOidcAccount();
  await stores.oidcIdentities.link(user.id, account, { grants });
  return { ...account, userId: user.id };
}

export const oidcCalls: CallsOf<'oidcIdentities' | 'signInFlows'> = {
  oidcIdentities: {
    signIn: {
      'of a new user with a role': async ({ stores, repoId }) => {
        const grants = { ...nothing, roles: new Map([[repoId, 'viewer' as const]]) };
        return () => stores.oidcIdentities.signIn(anOidcAccount(), grants, aNewOidcUser());
      },
      'of a known user who loses a role': async (world) => {
        const { stores, repoId } = world;
        const grants = { ...nothing, isOperator: true, roles: new Map([[repoId, 'viewer' as const]]) };
        const account = await linkedUser(world, grants);
        return () => stores.oidcIdentities.signIn(account, nothing, null);
      },
    },
    link: async ({ stores, repoId }) => {
      const user = aNewUser();
      await stores.users.create(user);
      const grants = { ...nothing, roles: new Map([[repoId, 'viewer' as const]]) };
      return () => stores.oidcIdentities.link(user.id, anOidcAccount(), { grants });
    },
    unlink: async (world) => {
      const { userId } = await linkedUser(world, nothing);
      return () => world.stores.oidcIdentities.unlink({ userId, issuer }, { others: ways, grants: nothing });
    },
    list: async (world) => {
      const { userId } = await linkedUser(world, nothing);
      return () => world.stores.oidcIdentities.list(userId);
    },
    endSessions: async (world) => {
      const { stores } = world;
      const { userId, subject } = await linkedUser(world, nothing);
      const expiresAt = later(world);
      await stores.sessions.create({ id: newId(), userId, expiresAt, provider: { issuer, sid: 's' } });
      const logout = { issuer, subject, sid: 's', tokenId: newId(), expiresAt };
      return () => stores.oidcIdentities.endSessions(logout);
    },
  },
  signInFlows: {
    beginFlow: async (world) => {
      const { stores } = world;
      const flow = { nonce: newId(), expiresAt: later(world) };
      return () => stores.signInFlows.beginFlow(flow);
    },
    consumeFlow: async (world) => {
      const { stores } = world;
      const flow = { nonce: newId(), expiresAt: later(world) };
      await stores.signInFlows.beginFlow(flow);
      return () => stores.signInFlows.consumeFlow(flow.nonce);
    },
    putLoginGrant: async (world) => {
      const { stores, userId } = world;
      const login = { grantHash: newId(), challenge: 'c', userId, provider: null, expiresAt: later(world) };
      return () => stores.signInFlows.putLoginGrant(login);
    },
    takeLoginGrant: async (world) => {
      const { stores, userId } = world;
      const login = { grantHash: newId(), challenge: 'c', userId, provider: null, expiresAt: later(world) };
      await stores.signInFlows.putLoginGrant(login);
      return () => stores.signInFlows.takeLoginGrant(login.grantHash);
    },
  },
};
