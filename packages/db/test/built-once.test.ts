import { type PostgresDatabases, settableClock, sharedPostgres } from '@sluice/testing';
import { SQL } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { aLease } from '../bench/a-lease.ts';
import { bookStages } from '../bench/book-stage.ts';
import { openPostgres } from '../src/index.ts';
import { callsOf } from './every-method/calls.ts';
import { createWorld } from './every-method/world.ts';
import { migratedDatabase, openScratch } from './scratch.ts';

let server: PostgresDatabases;
beforeAll(async () => {
  server = await sharedPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());
afterEach(() => vi.restoreAllMocks());

/**
 * Methods that still build SQL at each call. One that is not here must not, and one that no longer does must leave. None of
 * them runs for each request, stage or renewal of a lease:
 */
const stillBuilding: Readonly<Record<string, readonly string[]>> = {
  // Run for each news of the code host, each of which costs several requests to it; `openChanges` for each plan.
  codehostInbox: ['defer', 'deliver', 'expireHolds', 'forgetDeliveries', 'isHeld', 'mark', 'markMembers', 'settle'],
  codehostIndex: [
    'answeredRemarks',
    'byChangeRequest',
    'followUpOf',
    'followUpsOf',
    'imported',
    'noteAnsweredRemark',
    'noteBaseMoved',
    'noteChangeRequest',
    'noteWaitingReview',
    'openChanges',
    'registered',
    'registrations',
    'setChangeRequestState',
    'waitingReviews',
    'wasRemoved',
  ],
  // Run when somebody signs in at the code host or an OpenID provider, or an hourly token is refreshed.
  codehostLinks: ['link', 'refuseGrant', 'replaceGrant', 'signIn', 'unlink'],
  oidcIdentities: ['endSessions', 'link', 'list', 'signIn', 'unlink'],
  signInFlows: ['beginFlow', 'consumeFlow', 'putLoginGrant', 'takeLoginGrant'],
  // Run by an operator, or at a start.
  codehostSite: ['claim', 'forget', 'kept', 'move'],
  encryptedSecrets: ['encryptedUnderOther', 'plain', 'reencrypt'],
  // Run when somebody asks for a link in an e-mail, or opens it.
  accountLinks: ['isLive', 'put', 'resetPassword', 'verifyEmail'],
  // Run once for each account at most.
  deletions: ['begin', 'finish', 'plan', 'repos', 'settleRepo'],
  runs: ['expireLeases'],
  workers: ['clear'],
  users: ['account', 'accounts'],
  // Run when somebody logs in by password, which is compared for longer, or changes their second factors.
  secondFactors: [
    'add',
    'attempt',
    'begin',
    'hasRecoveryCode',
    'list',
    'recoveryCodesLeft',
    'remove',
    'removeAll',
    'rename',
    'replaceRecoveryCodes',
  ],
  // Run when somebody looks at or changes the members of a repository.
  members: ['list', 'mirror', 'put', 'remove'],
  // Run when somebody looks at or changes budgets; `warn` once for each budget and month.
  budgets: ['list', 'ofSubjects', 'set', 'warn'],
  // Run when somebody looks at or changes their API tokens.
  apiTokens: ['create', 'list', 'revoke'],
  // Run when somebody invites, or looks at invitations.
  invitations: ['create', 'list', 'remove'],
  // Run when somebody changes their notifications, or repeats some.
  notifications: [
    'addSecret',
    'addTest',
    'createTarget',
    'delivery',
    'removeTarget',
    'replay',
    'replayRange',
    'secrets',
    'target',
    'updateTarget',
  ],
  // Run for each delivery, which is a request over the network. `claim` is not, while nothing is due.
  deliveries: ['claim', 'expireHolds', 'forget', 'release', 'settle'],
  // A query without values, shared by the checks that come at the same time.
  health: ['check'],
  // Rare, and the deletions that they make cost more than their SQL.
  issues: ['remove'],
  maintenance: ['deleteRemoved'],
  repos: ['create', 'relocate', 'remove', 'update'],
};

const clock = settableClock();
const options = { clock, gateKeepsSlot: false, maxActivePipelinesPerUser: 3 };

describe.each([
  ['SQLite', () => openScratch(options)],
  [
    'Postgres',
    async () => openPostgres({ ...options, url: await migratedDatabase(server), applicationName: 'built-once' }),
  ],
])('the stores on %s', (_engine, open) => {
  it('build the SQL of a call once, except for those that are listed here', async () => {
    await using stores = await open();
    const world = await createWorld({ stores, clock });
    const toQuery = vi.spyOn(SQL.prototype, 'toQuery');
    const again = new Set<string>();
    for (const { name, arrange } of callsOf(stores)) {
      const first = await arrange(world);
      await first();
      await world.endAll();
      const second = await arrange(world);
      toQuery.mockClear();
      await second();
      if (toQuery.mock.calls.length > 0) again.add(name.split(' ', 1)[0] ?? name);
      await world.endAll();
    }
    const expected = Object.entries(stillBuilding).flatMap(([store, methods]) =>
      methods.map((one) => `${store}.${one}`),
    );
    expect([...again].toSorted()).toEqual(expected.toSorted());
  });

  it('build no SQL again for the stages in the middle of a drive', async () => {
    await using stores = await open();
    const bookStage = bookStages(stores, await aLease(stores));
    await bookStage();
    const toQuery = vi.spyOn(SQL.prototype, 'toQuery');
    await bookStage();
    expect(toQuery.mock.calls).toEqual([]);
  });
});
