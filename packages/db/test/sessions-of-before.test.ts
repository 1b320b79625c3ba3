import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionId } from '@sluice/core/id';
import { type PostgresDatabases, settableClock, sharedPostgres } from '@sluice/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMigrations } from '../src/engine/migrations.ts';
import { openPostgres, openSqlite, type Stores, upgradeDatabase } from '../src/index.ts';
import { migrateSqlite } from '../src/sqlite/migrate-sqlite.ts';
import { openWriter } from '../src/sqlite/sqlite-connections.ts';
import { firstSchemaRowsForPg } from './first-schema-rows.ts';
import { nameOf } from './pg-schema.ts';

const id = '00000000-0000-7000-8000-0000000000b1' as SessionId;
const BEGUN = 1_795_166_100_000;
const at = (ms: number) => new Date(BEGUN + ms);

let server: PostgresDatabases;
let dataDir: string;
beforeAll(async () => {
  server = await sharedPostgres();
  dataDir = mkdtempSync(join(tmpdir(), 'sluice-sessions-of-before-'));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(dataDir, { recursive: true });
});

const clock = () => settableClock(at(1_000));

/** The release before wrote it, beside this one. */
async function onPostgres(own: ReturnType<typeof clock>): Promise<Stores> {
  const url = await server.createDatabase();
  await upgradeDatabase({ url, applicationName: 'sluice-test' }, { dryRun: false });
  await server.query(firstSchemaRowsForPg(), nameOf(url));
  return await openPostgres({ url, applicationName: 'sluice-test', clock: own, maxActivePipelines: 5 });
}

/** It was there when the tables were changed. */
async function onSqlite(own: ReturnType<typeof clock>): Promise<Stores> {
  const writer = openWriter(join(dataDir, 'sluice.db'));
  migrateSqlite(writer, readMigrations('sqlite').slice(0, 1));
  writer.exec(readFileSync(new URL('./first-schema-rows.sql', import.meta.url), 'utf8'));
  writer.close();
  return await openSqlite({ dataDir, clock: own, maxActivePipelines: 5 });
}

describe('a session without a last-seen time', () => {
  it.each([
    ['Postgres', onPostgres],
    ['SQLite', onSqlite],
  ])('stays valid, and its idle time starts with its next use: %s', async (_engine, open) => {
    const own = clock();
    await using stores = await open(own);
    const { sessions } = stores;
    expect((await sessions.find(id))?.session).toMatchObject({ lastSeenAt: at(0), idleEndsAt: null });
    // Not seen for longer than any moment before, however early that was.
    await sessions.touch(id, { unseenSince: at(-1_000_000), idleEndsAt: at(5_000) });
    expect((await sessions.find(id))?.session).toMatchObject({ lastSeenAt: at(1_000), idleEndsAt: at(5_000) });
    own.advance(4_000);
    expect(await sessions.find(id)).toBeNull();
  });
});
