import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { aNewIssue, aNewRepo, aNewUser, type PostgresDatabases, settableClock, sharedPostgres } from '@sluice/testing';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgres, openSqlite, type Stores } from '../src/index.ts';
import { nameOf } from './pg-schema.ts';
import { migratedDatabase, migratedFolder } from './scratch.ts';

let server: PostgresDatabases;
beforeAll(async () => {
  server = await sharedPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

/** In the one slot, an issue of a removed repository, as a process that does not know `removed_at` starts it. */
async function endsAndIsDeleted(stores: Stores, run: (sql: string) => unknown): Promise<void> {
  const { users, repos, issues, maintenance } = stores;
  const user = aNewUser();
  await users.create(user);
  const [removed, other] = [aNewRepo({ userId: user.id }), aNewRepo({ userId: user.id })];
  await repos.create(removed);
  await repos.create(other);
  await run(`update repos set canonical_remote = 'removed:' || id where id = '${removed.id}'`);
  const started = aNewIssue({ userId: user.id, repoId: removed.id });
  expect(await issues.create(started, { queue: true })).toMatchObject({ issue: { status: 'running' } });
  const waiting = aNewIssue({ userId: user.id, repoId: other.id });
  expect(await issues.create(waiting, { queue: true })).toMatchObject({ issue: { status: 'pending' } });
  await run(`update repos set removed_at = created_at where id = '${removed.id}'`);

  await maintenance.deleteRemoved();
  expect((await issues.get(waiting.id))?.status).toBe('running');
  expect(await maintenance.deleteRemoved()).toBe(false);
}

const title =
  'an issue that an earlier release starts in a removed repository leaves its slot to the next, and is deleted';

it(`${title}, on SQLite`, async () => {
  const dataDir = await migratedFolder();
  const stores = await openSqlite({ dataDir, clock: settableClock(), maxActivePipelines: 1 });
  const raw = new Sqlite(join(dataDir, 'sluice.db'));
  await endsAndIsDeleted(stores, (sql) => raw.exec(sql));
  raw.close();
  await stores.close();
  rmSync(dataDir, { recursive: true });
});

it(`${title}, on Postgres`, async () => {
  const url = await migratedDatabase(server);
  await using stores = await openPostgres({
    url,
    applicationName: 'removed',
    clock: settableClock(),
    maxActivePipelines: 1,
  });
  await endsAndIsDeleted(stores, (sql) => server.query(sql, nameOf(url)));
});
