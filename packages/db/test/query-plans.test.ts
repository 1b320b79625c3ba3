import type { SessionId, User } from '@sluice/core';
import {
  aGate,
  aNewIssue,
  aNewRepo,
  aNewUser,
  anAccount,
  anEncryptedGrant,
  aPlan,
  aSubject,
  newId,
  type StoreHarness,
} from '@sluice/testing';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readMigrations } from '../src/engine/migrations.ts';
import { migrateSqlite } from '../src/sqlite/migrate-sqlite.ts';
import { openScratchStores } from './scratch-stores.ts';

/** As many rows as there are pipelines, versions, or tables: read as a whole wherever they are read. */
const smallTables = ['slots', 'migrations', 'sqlite_schema'];
/** Hold no more than the issues that wait, or those that hold a slot. */
const indexesOfTheQueue = ['issues_queue_by_user', 'issues_slots_by_user'];
/** Made by a query itself from those, see `queue-order.ts`. */
const derivedTables = ['waiting', 'ranked', 'line', '(subquery-'];
/** Whether there is anybody at all: ends at the first row. */
const anybody = 'select "id" from "users" limit ?';
/** Every secret there is: asked for when an operator has changed the key. */
const everySecret = 'substr(';

describe('the plans of the queries', () => {
  const statements = new Set<string>();
  let database: Sqlite.Database;

  beforeEach(() => {
    statements.clear();
    const { prepare } = Sqlite.prototype;
    vi.spyOn(Sqlite.prototype, 'prepare').mockImplementation(function (this: Sqlite.Database, source: string) {
      statements.add(source);
      return prepare.call(this, source);
    } as typeof prepare);
  });
  afterEach(() => vi.restoreAllMocks());

  it('never read a whole table, in anything that the stores do', async () => {
    await doEverything();
    const queries = [...statements].filter(
      (text) => /^(with|select|insert|update|delete)\b/.test(text) && text !== anybody && !text.includes(everySecret),
    );
    vi.restoreAllMocks();
    expect(queries.length).toBeGreaterThan(40);

    database = new Sqlite(':memory:');
    database.function('lower', (text) => text);
    migrateSqlite(database, readMigrations('sqlite'));
    const whole = queries.flatMap((query) => scansOf(query).map((scan) => `${scan} in ${query}`));
    expect(whole).toEqual([]);
    database.close();
  });

  it('are read from the database, so that a query without an index is detected', () => {
    database = new Sqlite(':memory:');
    migrateSqlite(database, readMigrations('sqlite'));
    expect(scansOf('select * from issues where title = ?')).toEqual(['SCAN issues']);
    expect(scansOf('select * from issues where id = ?')).toEqual([]);
    database.close();
  });

  /** Steps of the plan that look at every row of a table that grows. */
  function scansOf(query: string): string[] {
    const values = Array.from({ length: query.split('?').length - 1 }, () => null);
    const steps = database.prepare(`explain query plan ${query}`).all(...values) as { detail: string }[];
    return steps.map(({ detail }) => detail).filter((detail) => isScan(detail) && !isFine(detail));
  }
});

const isScan = (detail: string) => /^SCAN (?!\d+-ROW VALUES)/.test(detail);
const isFine = (detail: string) =>
  [...smallTables, ...derivedTables].some((table) => detail.startsWith(`SCAN ${table}`)) ||
  indexesOfTheQueue.some((index) => detail.endsWith(`USING COVERING INDEX ${index}`));

/** Calls every method of every store at least once. */
async function doEverything(): Promise<void> {
  await using stores = await openScratchStores({ gateKeepsSlot: false, maxActivePipelinesPerUser: 3 });
  const { issues, runs, repos, users, sessions } = stores;
  const user = aNewUser();
  const { id: userId } = user;
  await users.create(user);
  await users.create(aNewUser({ onlyIfFirst: true }));
  await users.get(userId);
  await users.credentials(user.email);
  await users.isFirst(userId);
  await users.addFailedLogins([{ email: user.email, day: '2026-11-20', count: 1 }]);
  await users.failedLogins(userId, '2026-11-20', { limit: 2, cursor: null });
  await users.passwordHash(userId);
  await users.rehash(userId, { before: 'x', after: 'y' });
  await users.changeAccount(userId, { email: 'new@example.test', passwordHash: 'x', ifPasswordHash: 'y', keep: null });
  await users.changeAccount(userId, { email: 'new@example.test', passwordHash: 'x', keep: newId() });
  await users.account(userId);
  await users.disable(userId);
  await users.enable(userId);
  const sessionId = newId<SessionId>();
  const expiresAt = new Date(Date.now() + 60_000);
  await sessions.create({ id: sessionId, userId, expiresAt, ifPasswordHash: 'x' });
  await sessions.find(sessionId);
  await sessions.list(userId, { limit: 1, cursor: null });
  await sessions.revoke(sessionId);
  await sessions.revokeAll(userId);
  await stores.audit.list(userId, { limit: 1, cursor: null });
  await stores.eventLog.settledUpTo();
  await stores.eventLog.changed(userId, { after: 0, upTo: 9, limit: 1 });
  await stores.eventLog.changed(userId, { after: 0, upTo: null, limit: null });

  const repo = aNewRepo({ userId });
  await repos.create(repo);
  await repos.get(repo.id);
  const page = { limit: 1, cursor: null };
  await repos.create(aNewRepo({ userId }));
  const { nextCursor } = await repos.list(userId, page);
  await repos.list(userId, { limit: 1, cursor: nextCursor });
  await repos.update(repo.id, { name: 'x' });
  await repos.setIndex(repo.id, { commit: 'c', files: 1, chunks: 1, updated_at: new Date().toISOString() });
  await repos.remove(repo.id);
  await repos.create(repo);

  const issue = aNewIssue({ userId, repoId: repo.id });
  const { id } = issue;
  await issues.create(issue, { queue: true });
  await issues.create(aNewIssue({ userId, repoId: repo.id }), { queue: true });
  const claim = await runs.claim(id, 'w', 60_000);
  if (claim === null) throw new Error('the issue could not be claimed');
  const { lease } = claim;
  const key = { stage: 'plan', round: 1 } as const;
  const message = { type: 'user.message', data: { text: 'a' } } as const;
  const usage = { input_tokens: 1, output_tokens: 1, cost_usd: 1 };
  await runs.renew(lease, 60_000);
  await runs.claimable(10);
  await runs.nextDueInMs();
  await runs.record(lease, [message]);
  await issues.addNote(id, 'a');
  await runs.notes(id);
  const checkpoint = { commit: 'c', object: 'o', patch: new Uint8Array(1) };
  await runs.appendJournal(lease, key, {
    entries: [
      { kind: 'begin', callId: '1' },
      { kind: 'usage', usage, model: 'acme/m' },
      { kind: 'note', seq: 1, message: {} },
    ],
    events: [message],
    checkpoint,
  });
  await runs.saveCheckpoint(lease, 'implementation', checkpoint);
  await runs.checkpoint(id, 'work');
  await runs.journal(id, key);
  const diff = { base_commit: 'b', head_commit: null, files: [], diff: 'x' };
  await runs.saveDiff(lease, diff);
  await runs.diff(id);
  await runs.appendLog(lease, [{ command: 'ls', stream: 'stdout', text: 'a' }]);
  await runs.log(id, { after: 0, limit: 10 });
  const step = { ...key, attempt: 1, outcome: 'failed', usage, detail: 'x' } as const;
  const failure = {
    stage: 'plan',
    agent: 'planner',
    attempt: 1,
    duration_ms: 1,
    detail: 'x',
    will_retry: true,
  } as const;
  await runs.beginAttempt(lease, { ...key, agent: 'planner' });
  await runs.steps(id);
  await runs.failAttempt(lease, step, { type: 'stage.failed', data: failure });
  await runs.beginAttempt(lease, { ...key, agent: 'planner' });
  await issues.apply({
    issueId: id,
    from: { status: 'running' },
    trigger: 'plan_completed',
    lease,
    set: { stage: 'human_review', gate: aGate(), pipeline: claim.issue.pipeline },
    plan: aPlan(),
    step: { ...step, attempt: 2, outcome: 'completed' },
    events: [message],
  });
  await runs.release(lease, 1_000);
  await runs.expireLeases();
  await runs.expiredGates(new Date());
  await runs.gatesHoldingSlots(new Date());
  await runs.freeGateSlots();
  await stores.queueStats.load();
  const request = { userId, route: 'POST /issues', key: 'k' };
  await stores.idempotency.claim(request, { hash: 'h', owner: 'w', ttlMs: 1, keptMs: 1 });
  await stores.idempotency.extend(request, 'w', 1);
  await stores.idempotency.release(request, 'w');
  await stores.maintenance.clearExpired({ before: new Date(), limit: 10 });
  const { next } = await stores.maintenance.withOldHistory({ endedBefore: new Date(), after: null, limit: 10 });
  await stores.maintenance.withOldHistory({ endedBefore: new Date(), after: next, limit: 10 });
  await runs.needingWorkspace([id], new Date());
  await runs.leased([id]);
  await issues.get(id);
  await issues.plans(id);
  await issues.events(id, { after: 0, limit: 10 });
  const query = { userId, limit: 1, cursor: null };
  await issues.list({ ...query, statuses: ['pending', 'running'], q: 'sum' });
  await issues.list({ ...query, repoId: repo.id });
  const later = aNewIssue({ userId, repoId: repo.id });
  await issues.create(later, { queue: false });
  const first = await issues.list(query);
  await issues.list({ ...query, cursor: first.nextCursor });
  await issues.apply({ issueId: id, from: { status: 'human_review' }, trigger: 'cancelled', events: [] });
  stores.clock.advance(1_000);
  await stores.maintenance.forgetHistory(id, { endedBefore: stores.clock.now(), limit: 10 });
  await issues.apply({ issueId: later.id, from: { status: 'pending', queued: false }, trigger: 'queued', events: [] });
  await issues.remove(id);
  await issues.remove(later.id);
  await doEverythingAtTheCodeHost(stores, userId);
}

async function doEverythingAtTheCodeHost(stores: StoreHarness, userId: User['id']): Promise<void> {
  const { codehostLinks, encryptedSecrets, codehostInbox, codehostIndex, repos, issues } = stores;
  const account = anAccount();
  await codehostLinks.signIn(account, (id) => anEncryptedGrant(id), null);
  await codehostLinks.signIn(anAccount(), (id) => anEncryptedGrant(id), { id: newId(), onlyIfFirst: true });
  await codehostLinks.signIn(account, (id) => anEncryptedGrant(id), { id: newId(), onlyIfFirst: false });
  await codehostLinks.signIn(account, (id) => anEncryptedGrant(id), null);
  await codehostLinks.link(userId, anAccount(), anEncryptedGrant());
  await codehostLinks.grant(userId);
  await codehostLinks.replaceGrant(userId, 1, anEncryptedGrant());
  await codehostLinks.refuseGrant(userId, 2);
  const expiresAt = new Date(Date.now() + 60_000);
  await codehostLinks.beginFlow({ nonce: 'n', expiresAt });
  await codehostLinks.consumeFlow('n');
  await codehostLinks.putLoginGrant({ grantHash: 'h', challenge: 'c', userId, expiresAt });
  await codehostLinks.takeLoginGrant('h');

  const repo = aNewRepo({
    userId,
    provider: 'codehost',
    codehostRepoId: '41',
    accessToken: anEncryptedGrant().encryptedToken,
  });
  await repos.create(repo);
  await repos.create(aNewRepo({ userId, provider: 'codehost', codehostRepoId: '41' }));
  const secrets = await encryptedSecrets.encryptedUnderOther(['new'], 10);
  for (const secret of secrets) await encryptedSecrets.reencrypt(secret, anEncryptedGrant().encryptedToken);
  await codehostLinks.unlink(userId);
  await codehostInbox.claimPolls('w', { everyMs: 1, limit: 10 });
  await codehostInbox.savePoll('41', 'c');

  const subject = aSubject();
  await codehostInbox.deliver('d', subject);
  await codehostInbox.mark([subject]);
  for (const failed of [true, false]) {
    for (const one of await codehostInbox.claim('w', { limit: 10, ttlMs: 1 })) {
      await codehostInbox.defer('w', one, { retryInMs: 0, failed });
      await codehostInbox.settle('w', one);
    }
  }
  await codehostInbox.expireHolds();
  await codehostInbox.forgetDeliveries(new Date());

  const imported = { origin: 'codehost', codehost: { number: 7, commentId: '1', url: 'u' } } as const;
  const issue = aNewIssue({ userId, repoId: repo.id, ...imported });
  await issues.create(issue, { queue: false });
  await issues.create(aNewIssue({ ...issue, id: newId() }), { queue: false });
  await codehostIndex.registrations('41');
  await codehostIndex.registered(userId, ['41', '42']);
  await codehostIndex.imported(repo.id, [7, 8]);
  await codehostIndex.byChangeRequest(repo.id, 9);
  await codehostIndex.followUpOf(repo.id, '1');
  await codehostIndex.wasRemoved(repo.id, { number: 7 });
  await codehostIndex.setChangeRequestState(issue.id, 'merged');
  await codehostIndex.noteChangeRequest(issue.id, { number: 9, url: 'https://host.test/9', state: 'open' });
}
