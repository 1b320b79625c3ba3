import type { NewSecondFactor } from '@sluice/core/account';
import type { SessionId } from '@sluice/core/id';
import { aNewApiToken, aNewInvitation, aNewUser, newId } from '@sluice/testing';
import type { CallsOf } from './calls-of.ts';
import type { World } from './world.ts';

const firstPage = { limit: 20, cursor: null };
const DAY_MS = 86_400_000;

const later = ({ clock }: World) => new Date(clock.now().getTime() + DAY_MS);

/** A new user with a session. */
async function somebody(world: World) {
  const { stores } = world;
  const user = aNewUser();
  await stores.users.create(user);
  const sessionId = newId<SessionId>();
  await stores.sessions.create({ id: sessionId, userId: user.id, expiresAt: later(world) });
  return { ...user, userId: user.id, sessionId };
}

const anApp = (userId: World['userId']): NewSecondFactor => ({
  ...{ kind: 'totp', id: newId(), userId, name: 'Phone' },
  ...{ secret: { encrypted: '1:AA==', nonce: 'BB==' }, lastStep: 1 },
});

/** An enrollment that waits for its code. */
async function enrolling(world: World) {
  const { stores } = world;
  const { userId, sessionId, passwordHash } = await somebody(world);
  const change = { userId, keep: sessionId, ifPasswordHash: passwordHash };
  const begin = async (purpose: 'login' | 'totp') => {
    const hash = newId();
    const bound = { passwordDigest: 'd', sessionId: purpose === 'login' ? null : sessionId, toSign: null };
    await stores.secondFactors.begin({ hash, userId, purpose, ...bound, expiresAt: later(world) });
    return hash;
  };
  const add = { ...change, challengeHash: await begin('totp'), codeHashes: ['c'] };
  return { userId, change, add, begin, factor: anApp(userId) };
}

/** An account with an authenticator app and a recovery code. */
async function withFactor(world: World) {
  const enrollment = await enrolling(world);
  await world.stores.secondFactors.add(enrollment.factor, enrollment.add);
  return enrollment;
}

const anybody = { foldersFor: 'everybody' } as const;

/** Somebody who deletes their account, and has proved by their password that it is theirs. */
async function leaver(world: World) {
  const { userId, sessionId, passwordHash } = await somebody(world);
  return { userId, sessionId, ifPasswordHash: passwordHash };
}

async function aToken(world: World) {
  const { userId } = await somebody(world);
  const token = aNewApiToken({ userId, expiresAt: later(world) });
  await world.stores.apiTokens.create(token);
  return token;
}

function linkTo(world: World, { id, email }: { id: World['userId']; email: string }) {
  return { tokenHash: newId(), purpose: 'password_reset', userId: id, email, expiresAt: later(world) } as const;
}

async function anInvitation(world: World) {
  const { stores, userId, repoId } = world;
  const into = { id: repoId, role: 'viewer' } as const;
  const invitation = aNewInvitation({ invitedBy: userId, repo: into, expiresAt: later(world) });
  await stores.invitations.create(invitation);
  return invitation;
}

function request(userId: World['userId']) {
  return { userId, route: 'POST /issues', key: newId() };
}

const claim = { hash: 'h', owner: 'one', ttlMs: 60_000, keptMs: DAY_MS };

export const accountCalls: CallsOf<
  | 'users'
  | 'sessions'
  | 'secondFactors'
  | 'apiTokens'
  | 'accountLinks'
  | 'invitations'
  | 'deletions'
  | 'audit'
  | 'auditSeals'
  | 'idempotency'
  | 'health'
> = {
  users: {
    create: {
      'one of several': async ({ stores }) => {
        const user = aNewUser();
        return () => stores.users.create(user);
      },
      'with an invitation': async (world) => {
        const { email, tokenHash } = await anInvitation(world);
        const user = { ...aNewUser({ email, onlyIfFirst: true }), invitationHash: tokenHash };
        return () => world.stores.users.create(user);
      },
      'only if the first': async ({ stores }) => {
        const user = aNewUser({ onlyIfFirst: true });
        return () => stores.users.create(user);
      },
    },
    get: async ({ stores, userId }) => {
      return () => stores.users.get(userId);
    },
    find: {
      'by e-mail': async (world) => {
        const { email } = await somebody(world);
        return () => world.stores.users.find({ email });
      },
      'by account': async ({ stores }) => {
        return () => stores.users.find({ codehostId: newId() });
      },
    },
    credentials: async (world) => {
      const { email } = await somebody(world);
      return () => world.stores.users.credentials(email);
    },
    passwordHash: async ({ stores, userId }) => {
      return () => stores.users.passwordHash(userId);
    },
    rehash: async (world) => {
      const { userId, passwordHash } = await somebody(world);
      return () => world.stores.users.rehash(userId, { before: passwordHash, after: 'y' });
    },
    preferences: async ({ stores, userId }) => {
      return () => stores.users.preferences(userId);
    },
    changePreferences: async ({ stores, userId }) => {
      return () => stores.users.changePreferences(userId, { theme: 'dark' });
    },
    hasOtherOperator: async ({ stores, userId }) => {
      return () => stores.users.hasOtherOperator(userId);
    },
    grantOperator: async (world) => {
      const { userId } = await somebody(world);
      return () => world.stores.users.grantOperator(userId);
    },
    revokeOperator: async (world) => {
      const { userId } = await somebody(world);
      await world.stores.users.grantOperator(userId);
      return () => world.stores.users.revokeOperator(userId);
    },
    changeAccount: async (world) => {
      const { userId, sessionId, passwordHash } = await somebody(world);
      const change = { email: `${newId()}@example.test`, passwordHash: 'x', ifPasswordHash: passwordHash };
      return () => world.stores.users.changeAccount(userId, { ...change, keep: sessionId });
    },
    accounts: {
      whole: async ({ stores }) => {
        return () => stores.users.accounts(firstPage);
      },
      'by a filter': async ({ stores }) => {
        return () => stores.users.accounts(firstPage, { search: 'ada', state: 'active' });
      },
    },
    account: {
      'by id': async ({ stores, userId }) => {
        return () => stores.users.account(userId);
      },
      'by address': async (world) => {
        const { email } = await somebody(world);
        return () => world.stores.users.account(email);
      },
    },
    disable: {
      'any user': async (world) => {
        const { userId } = await somebody(world);
        return () => world.stores.users.disable(userId);
      },
      'but the last operator': async (world) => {
        const { userId } = await somebody(world);
        await world.stores.users.grantOperator(userId);
        return () => world.stores.users.disable(userId, { evenLastOperator: false });
      },
    },
    enable: async (world) => {
      const { userId } = await somebody(world);
      await world.stores.users.disable(userId);
      return () => world.stores.users.enable(userId);
    },
    addFailedLogins: async (world) => {
      const { email } = await somebody(world);
      return () => world.stores.users.addFailedLogins([{ email, day: '2026-11-20', count: 1 }]);
    },
    failedLogins: async ({ stores, userId }) => {
      return () => stores.users.failedLogins(userId, '2026-11-20', firstPage);
    },
  },
  sessions: {
    create: {
      plain: async (world) => {
        const { stores, userId } = world;
        const session = { id: newId<SessionId>(), userId, expiresAt: later(world) };
        return () => stores.sessions.create(session);
      },
      'with a second factor': async (world) => {
        const { userId, change, begin, factor } = await withFactor(world);
        const { ifPasswordHash } = change;
        const session = { id: newId<SessionId>(), userId, expiresAt: later(world), ifPasswordHash };
        const use = { kind: 'totp', factorId: factor.id, step: 2 } as const;
        const secondFactor = { challengeHash: await begin('login'), use };
        return () => world.stores.sessions.create({ ...session, secondFactor });
      },
    },
    find: async (world) => {
      const { sessionId } = await somebody(world);
      return () => world.stores.sessions.find(sessionId);
    },
    touch: async (world) => {
      const { sessionId } = await somebody(world);
      return () => world.stores.sessions.touch(sessionId, { unseenSince: later(world), idleEndsAt: null });
    },
    list: async (world) => {
      const { userId } = await somebody(world);
      return () => world.stores.sessions.list(userId, firstPage);
    },
    revoke: async (world) => {
      const { sessionId } = await somebody(world);
      return () => world.stores.sessions.revoke(sessionId);
    },
    revokeAll: async (world) => {
      const { userId } = await somebody(world);
      return () => world.stores.sessions.revokeAll(userId);
    },
  },
  deletions: {
    plan: async (world) => {
      const { userId } = await leaver(world);
      return () => world.stores.deletions.plan(userId, anybody);
    },
    begin: async (world) => {
      const proof = await leaver(world);
      return () => world.stores.deletions.begin(proof);
    },
    repos: async ({ stores, userId }) => {
      return () => stores.deletions.repos(userId);
    },
    settleRepo: {
      'that an admin takes over': async (world) => {
        const { stores } = world;
        const { id, userId } = await world.registered();
        const { userId: heir } = await somebody(world);
        await stores.members.put({ repoId: id, userId: heir, role: 'admin', origin: 'added' });
        return () => stores.deletions.settleRepo({ id, userId }, anybody);
      },
      'that is removed': async (world) => {
        const { id, userId } = await world.registered();
        return () => world.stores.deletions.settleRepo({ id, userId }, anybody);
      },
    },
    finish: async (world) => {
      const proof = await leaver(world);
      return () => world.stores.deletions.finish(proof);
    },
  },
  secondFactors: {
    list: async ({ stores, userId }) => {
      return () => stores.secondFactors.list(userId);
    },
    recoveryCodesLeft: async ({ stores, userId }) => {
      return () => stores.secondFactors.recoveryCodesLeft(userId);
    },
    hasRecoveryCode: async ({ stores, userId }) => {
      return () => stores.secondFactors.hasRecoveryCode(userId, 'c');
    },
    begin: async (world) => {
      const { begin } = await enrolling(world);
      return () => begin('login');
    },
    attempt: async (world) => {
      const { begin } = await withFactor(world);
      const hash = await begin('login');
      return () => world.stores.secondFactors.attempt(hash, true);
    },
    add: async (world) => {
      const { factor, add } = await enrolling(world);
      return () => world.stores.secondFactors.add(factor, add);
    },
    rename: async (world) => {
      const { userId, factor } = await withFactor(world);
      return () => world.stores.secondFactors.rename(userId, { id: factor.id, name: 'Old phone' });
    },
    remove: async (world) => {
      const { factor, change } = await withFactor(world);
      return () => world.stores.secondFactors.remove(factor.id, { ...change, keepLast: false });
    },
    replaceRecoveryCodes: async (world) => {
      const { change } = await withFactor(world);
      return () => world.stores.secondFactors.replaceRecoveryCodes(['d'], change);
    },
    removeAll: async (world) => {
      const { userId } = await withFactor(world);
      return () => world.stores.secondFactors.removeAll(userId);
    },
  },
  apiTokens: {
    create: async (world) => {
      const token = aNewApiToken({ userId: world.userId, expiresAt: later(world) });
      return () => world.stores.apiTokens.create(token);
    },
    find: {
      'by hash': async (world) => {
        const { hash } = await aToken(world);
        return () => world.stores.apiTokens.find({ hash });
      },
      'by id': async (world) => {
        const { id } = await aToken(world);
        return () => world.stores.apiTokens.find({ id });
      },
    },
    touch: async (world) => {
      const { id } = await aToken(world);
      return () => world.stores.apiTokens.touch(id, { unusedSince: later(world), client: 'curl' });
    },
    list: {
      'of a user': async (world) => {
        const { userId } = await aToken(world);
        return () => world.stores.apiTokens.list({ userId }, firstPage);
      },
      'of a repository': async ({ stores, repoId }) => {
        return () => stores.apiTokens.list({ repoId }, firstPage);
      },
      all: async ({ stores }) => {
        return () => stores.apiTokens.list('all', firstPage);
      },
    },
    revoke: async (world) => {
      const { id } = await aToken(world);
      return () => world.stores.apiTokens.revoke(id);
    },
  },
  accountLinks: {
    put: async (world) => {
      const link = linkTo(world, await somebody(world));
      return () => world.stores.accountLinks.put(link);
    },
    isLive: async ({ stores }) => {
      return () => stores.accountLinks.isLive('none', 'password_reset');
    },
    resetPassword: {
      'of an account with nothing else': async (world) => {
        const link = linkTo(world, await somebody(world));
        await world.stores.accountLinks.put(link);
        return () => world.stores.accountLinks.resetPassword({ tokenHash: link.tokenHash, passwordHash: 'x' });
      },
      'of one that may have been another person’s': async (world) => {
        const { stores } = world;
        const user = await somebody(world);
        await stores.apiTokens.create(aNewApiToken({ userId: user.id, expiresAt: later(world) }));
        const identity = { issuer: 'https://id.example.test', subject: newId(), email: null, name: null };
        const grants = { isOperator: false, roles: new Map(), others: new Set<never>() };
        await stores.oidcIdentities.link(user.id, identity, { grants });
        const grant = { encryptedToken: { encrypted: '1:AA==', nonce: 'BB==' }, expiresAt: null };
        const account = { id: newId<string>(), login: 'ada', name: null, avatarUrl: null };
        await stores.codehostLinks.link(user.id, account, grant);
        const link = linkTo(world, user);
        await stores.accountLinks.put(link);
        return () => stores.accountLinks.resetPassword({ tokenHash: link.tokenHash, passwordHash: 'x' });
      },
    },
    verifyEmail: async (world) => {
      const link = { ...linkTo(world, await somebody(world)), purpose: 'email_verification' } as const;
      await world.stores.accountLinks.put(link);
      return () => world.stores.accountLinks.verifyEmail(link.tokenHash);
    },
  },
  invitations: {
    create: {
      'to the server': async (world) => {
        const invitation = aNewInvitation({ invitedBy: world.userId, expiresAt: later(world) });
        return () => world.stores.invitations.create(invitation);
      },
      'to a repository': async (world) => {
        const repo = { id: world.repoId, role: 'viewer' } as const;
        const invitation = aNewInvitation({ invitedBy: world.userId, repo, expiresAt: later(world) });
        return () => world.stores.invitations.create(invitation);
      },
    },
    list: {
      all: async (world) => {
        await anInvitation(world);
        return () => world.stores.invitations.list('all', firstPage);
      },
      'of a repository': async (world) => {
        await anInvitation(world);
        return () => world.stores.invitations.list({ repoId: world.repoId }, firstPage);
      },
    },
    remove: async (world) => {
      const { id } = await anInvitation(world);
      return () => world.stores.invitations.remove(id, 'all');
    },
  },
  audit: {
    list: async ({ stores, userId }) => {
      return () => stores.audit.list(userId, firstPage);
    },
    listAll: {
      whole: async ({ stores }) => {
        return () => stores.audit.listAll(firstPage);
      },
      'by all of a filter': async ({ stores, userId, repoId, clock }) => {
        const at = clock.now();
        return () => stores.audit.listAll(firstPage, { userId, repoId, action: 'repo.changed', from: at, to: at });
      },
    },
    listOfRepo: async ({ stores, repoId }) => {
      return () => stores.audit.listOfRepo(repoId, firstPage);
    },
    note: async ({ stores }) => {
      return () => stores.audit.note({ action: 'installation.keys_rotated', detail: { key: 'new' } });
    },
  },
  auditSeals: {
    settled: async ({ stores }) => {
      return () => stores.auditSeals.settled();
    },
    entries: async ({ stores }) => {
      return () => stores.auditSeals.entries({ after: null, limit: 20 });
    },
    seals: async ({ stores }) => {
      return () => stores.auditSeals.seals({ after: null, limit: 20 });
    },
    last: async ({ stores }) => {
      return () => stores.auditSeals.last();
    },
    add: async ({ stores }) => {
      const number = ((await stores.auditSeals.last())?.number ?? 0) + 1;
      const range = { fromOrdinal: 1, toOrdinal: 1, entries: 1, total: 1 };
      const texts = { previous: null, digest: 'd', keyId: 'k', mac: 'm' };
      const seal = { number, previousNumber: number - 1, ...range, ...texts, sealedAt: new Date(0) };
      return () => stores.auditSeals.add(seal);
    },
  },
  idempotency: {
    claim: async ({ stores, userId }) => {
      const asked = request(userId);
      return () => stores.idempotency.claim(asked, claim);
    },
    extend: async ({ stores, userId }) => {
      const asked = request(userId);
      await stores.idempotency.claim(asked, claim);
      return () => stores.idempotency.extend(asked, 'one', 60_000);
    },
    release: async ({ stores, userId }) => {
      const asked = request(userId);
      await stores.idempotency.claim(asked, claim);
      return () => stores.idempotency.release(asked, 'one');
    },
  },
  health: {
    check: async ({ stores }) => {
      return () => stores.health.check(AbortSignal.timeout(DAY_MS));
    },
  },
};
