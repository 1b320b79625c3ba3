import type { Issue, SessionId, User } from '@sluice/core';
import {
  aNewIssue,
  aNewRepo,
  aNewUser,
  newId,
  type OpenStores,
  type PostgresServer,
  type StoreHarness,
  startPostgres,
} from '@sluice/testing';
import { SQL } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { scratchStoresOn } from './scratch-postgres.ts';
import { openScratchStores } from './scratch-stores.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());
afterEach(() => vi.restoreAllMocks());

interface Rows {
  readonly user: User;
  readonly sessionId: SessionId;
  readonly issue: Issue;
}

const page = { limit: 2, cursor: null };

/** What requests and streams ask all the time. */
const calls: Readonly<Record<string, (stores: StoreHarness, rows: Rows) => Promise<unknown>>> = {
  'sessions.find': ({ sessions }, { sessionId }) => sessions.find(sessionId),
  'sessions.list': ({ sessions }, { user }) => sessions.list(user.id, page),
  'users.get': ({ users }, { user }) => users.get(user.id),
  'users.isFirst': ({ users }, { user }) => users.isFirst(user.id),
  'users.credentials': ({ users }, { user }) => users.credentials(`${user.email}`),
  'users.passwordHash': ({ users }, { user }) => users.passwordHash(user.id),
  'issues.get': ({ issues }, { issue }) => issues.get(issue.id),
  'issues.plans': ({ issues }, { issue }) => issues.plans(issue.id),
  'issues.events': ({ issues }, { issue }) => issues.events(issue.id, { after: 0, limit: 10 }),
};

describe.each<[string, OpenStores]>([
  ['SQLite', openScratchStores],
  ['Postgres', scratchStoresOn(() => server)],
])('the stores on %s', (_engine, open) => {
  it.each(Object.keys(calls))('build no SQL when %s is called again', async (name) => {
    await using stores = await open();
    const rows = await fill(stores);
    const call = () => calls[name]?.(stores, rows);
    const first = await call();
    const built = vi.spyOn(SQL.prototype, 'toQuery');
    expect(await call()).toEqual(first);
    expect(built.mock.results).toEqual([]);
  });
});

async function fill({ users, sessions, repos, issues }: StoreHarness): Promise<Rows> {
  const created = await users.create(aNewUser());
  if (created.kind !== 'created') throw new Error('The user was not created.');
  const { user } = created;
  const sessionId = newId<SessionId>();
  await sessions.create({ id: sessionId, userId: user.id, expiresAt: new Date('2100-01-01') });
  const repo = aNewRepo({ userId: user.id });
  await repos.create(repo);
  const outcome = await issues.create(aNewIssue({ userId: user.id, repoId: repo.id }), { queue: true });
  if (outcome.kind !== 'applied') throw new Error('The issue was not created.');
  return { user, sessionId, issue: outcome.issue };
}
