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

/** A process that does not know `waiting_ordinal` ends the issue that holds the repository, and one that waits for it. */
async function goesOn({ users, repos, issues }: Stores, run: (sql: string) => unknown): Promise<void> {
  const user = aNewUser();
  await users.create(user);
  const repo = aNewRepo({ userId: user.id });
  await repos.create(repo);
  const [holder, cancelled, next] = [0, 1, 2].map(() => aNewIssue({ userId: user.id, repoId: repo.id }));
  if (holder === undefined || cancelled === undefined || next === undefined) throw new Error('unreachable');
  for (const issue of [holder, cancelled, next]) await issues.create(issue, { queue: true, orWait: true });
  const end = "set status = 'cancelled', active_remote = null, slot = null, finished_at = updated_at";
  await run(`update issues ${end} where id in ('${holder.id}', '${cancelled.id}')`);
  expect(await issues.get(cancelled.id)).toMatchObject({ status: 'cancelled', waitsForRepo: false });
  expect(await issues.get(next.id)).toMatchObject({ status: 'pending', waitsForRepo: true });

  expect(await issues.queueWaiting()).toBe(1);
  expect(await issues.get(next.id)).toMatchObject({ status: 'running', waitsForRepo: false });
  expect(await issues.get(cancelled.id)).toMatchObject({ status: 'cancelled' });
}

const title = 'an issue that waits for its repository starts when a process of the release before has freed it';

it(`${title}, on SQLite`, async () => {
  const dataDir = await migratedFolder();
  const stores = await openSqlite({ dataDir, clock: settableClock() });
  const raw = new Sqlite(join(dataDir, 'sluice.db'));
  await goesOn(stores, (sql) => raw.exec(sql));
  raw.close();
  await stores.close();
  rmSync(dataDir, { recursive: true });
});

it(`${title}, on Postgres`, async () => {
  const url = await migratedDatabase(server);
  await using stores = await openPostgres({ url, applicationName: 'line', clock: settableClock() });
  await goesOn(stores, (sql) => server.query(sql, nameOf(url)));
});
