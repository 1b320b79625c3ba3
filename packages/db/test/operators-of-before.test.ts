import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PostgresDatabases, settableClock, sharedPostgres } from '@sluice/testing';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMigrations, STATEMENT_BREAK } from '../src/engine/migrations.ts';
import { openSqlite } from '../src/index.ts';
import { migrateSqlite } from '../src/sqlite/migrate-sqlite.ts';
import { openWriter } from '../src/sqlite/sqlite-connections.ts';
import { nameOf } from './pg-schema.ts';

const ids = ['0193a59e-0000-7000-8000-000000000002', '0193a59e-0000-7000-8000-000000000001'] as const;
const [younger, oldest] = ids;

let dataDir: string;
let server: PostgresDatabases;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'sluice-operators-of-before-'));
  server = await sharedPostgres();
});
afterAll(async () => {
  rmSync(dataDir, { recursive: true });
  await server[Symbol.asyncDispose]();
});

/** The migrations before it, or those up to it. */
function migrationsOf(dialect: 'sqlite' | 'pg', upTo: 'before' | 'with') {
  const all = readMigrations(dialect);
  const at = all.findIndex(({ name }) => /^\d+_operators\b/.test(name));
  expect(at).toBeGreaterThan(0);
  return all.slice(0, upTo === 'before' ? at : at + 1);
}

describe('the oldest account of a release that knew no operators', () => {
  it('becomes an operator on SQLite, and no other account does', async () => {
    const writer = openWriter(join(dataDir, 'sluice.db'));
    migrateSqlite(writer, migrationsOf('sqlite', 'before'));
    for (const id of ids) writer.prepare('insert into users (id, created_at) values (?, 1)').run(id);
    writer.close();
    await using stores = await openSqlite({ dataDir, clock: settableClock() });
    const { items } = await stores.users.accounts({ limit: 9, cursor: null });
    expect(items.map(({ user }) => [user.id, user.isOperator])).toEqual([
      [younger, false],
      [oldest, true],
    ]);
  });

  it('becomes an operator on Postgres, and no other account does', async () => {
    const database = nameOf(await server.createDatabase());
    const [own] = migrationsOf('pg', 'with').slice(-1);
    await server.query('create table users (id text primary key, created_at timestamptz)', database);
    for (const id of ids) await server.query(`insert into users (id) values ('${id}')`, database);
    for (const statement of own?.sql.split(STATEMENT_BREAK) ?? []) await server.query(statement, database);
    const found = await server.query('select id from users where is_operator', database);
    expect(JSON.stringify(found)).toContain(oldest);
    expect(JSON.stringify(found)).not.toContain(younger);
  });

  it('is nobody where there is no account yet', () => {
    const database = new Sqlite(':memory:');
    expect(() => migrateSqlite(database, migrationsOf('sqlite', 'with'))).not.toThrow();
    database.close();
  });
});
