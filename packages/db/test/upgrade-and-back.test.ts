import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callerOf, type IssueAct } from '@sluice/core/access';
import type { IssueId, SessionId, UserId } from '@sluice/core/id';
import { authorizeIssue, issueStatuses } from '@sluice/core/issue';
import { type PostgresDatabases, settableClock, sharedPostgres } from '@sluice/testing';
import type Sqlite from 'better-sqlite3';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMigrations } from '../src/engine/migrations.ts';
import { openPostgres, openSqlite, type Stores, upgradeDatabase } from '../src/index.ts';
import { migratePg } from '../src/pg/migrate-pg.ts';
import { migrateSqlite } from '../src/sqlite/migrate-sqlite.ts';
import { openWriter } from '../src/sqlite/sqlite-connections.ts';

type Rows = Readonly<Record<string, readonly Readonly<Record<string, string | number>>[]>>;

/** Every table of an installation of before, as SQLite has it: members in each role, issues in every status. */
const fixture = JSON.parse(
  readFileSync(new URL('./fixtures/installation-at-0027.json', import.meta.url), 'utf8'),
) as Rows;
const LAST_OF_BEFORE = '0027';
const before = (dialect: 'sqlite' | 'pg') =>
  readMigrations(dialect).filter(({ name }) => name.slice(0, LAST_OF_BEFORE.length) <= LAST_OF_BEFORE);

let server: PostgresDatabases;
let dataDir: string;
beforeAll(async () => {
  server = await sharedPostgres();
  dataDir = mkdtempSync(join(tmpdir(), 'sluice-upgrade-'));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(dataDir, { recursive: true });
});

const rowsOf = (table: string) => fixture[table] ?? [];

function fillSqlite(database: Sqlite.Database): void {
  database.pragma('foreign_keys = OFF');
  for (const [table, rows] of Object.entries(fixture)) {
    for (const row of rows) {
      const names = Object.keys(row).map((name) => `"${name}"`);
      const values = Object.values(row).map((value) =>
        typeof value === 'string' && value.startsWith('\\x') ? Buffer.from(value.slice(2), 'hex') : value,
      );
      database.prepare(`insert into "${table}" (${names}) values (${names.map(() => '?')})`).run(values);
    }
  }
  expect(database.pragma('foreign_key_check')).toEqual([]);
}

async function fillPostgres(client: Client): Promise<void> {
  await client.query('set session_replication_role = replica'); // tables in any order
  for (const [table, rows] of Object.entries(fixture)) {
    const { rows: columns } = await client.query<{ name: string; type: string }>(
      `select column_name as name, data_type as type from information_schema.columns where table_name = $1`,
      [table],
    );
    const types = new Map(columns.map(({ name, type }) => [name, type]));
    for (const row of rows) {
      const names = Object.keys(row);
      const values = names.map((name) => inPostgres(row[name], types.get(name)));
      const list = names.map((name) => `"${name}"`);
      const places = names.map((_, at) => `$${at + 1}`);
      await client.query(`insert into "${table}" (${list}) overriding system value values (${places})`, values);
    }
  }
  await client.query(`set session_replication_role = default;
    select setval('issues_ordinal_seq', (select max(ordinal) from issues));
    select setval('events_ordinal_seq', (select max(ordinal) from events));
    select setval('audit_entries_ordinal_seq', (select max(ordinal) from audit_entries));`);
}

function inPostgres(value: unknown, type: string | undefined): unknown {
  if (type?.startsWith('timestamp') === true) return new Date(Number(value));
  return type === 'boolean' ? value === 1 : value;
}

/** What every person could do before, they can do now, and their work goes on. */
async function expectEverything(stores: Stores): Promise<void> {
  for (const { id, user_id } of rowsOf('sessions'))
    expect((await stores.sessions.find(id as SessionId))?.user.id, `session ${id}`).toBe(user_id);
  for (const { user_id, password_hash } of rowsOf('credentials'))
    expect(await stores.users.passwordHash(user_id as UserId)).toBe(password_hash);
  const repo = rowsOf('repo_members')[0]?.repo_id;
  const issue = rowsOf('issues').find(({ repo_id }) => repo_id === repo)?.id as IssueId;
  const may = async (userId: string, act: IssueAct) =>
    await authorizeIssue({ ...stores, caller: callerOf(userId as UserId) }, issue, act).then(
      () => true,
      () => false,
    );
  for (const { user_id, role } of rowsOf('repo_members')) {
    const user = String(user_id);
    expect([await may(user, 'read'), await may(user, 'decide')], String(role)).toEqual([
      true,
      role === 'approver' || role === 'admin',
    ]);
  }
  expect(new Set(rowsOf('issues').map(({ status }) => status))).toEqual(new Set(issueStatuses));
  for (const { id, status, title } of rowsOf('issues'))
    expect(await stores.issues.get(id as IssueId)).toMatchObject({ title, status });
  const entries = rowsOf('audit_entries');
  const { items } = await stores.audit.listAll({ limit: 100, cursor: null });
  expect(items.map(({ ordinal, act }) => [ordinal, act.action]).toReversed()).toEqual(
    entries.map(({ ordinal, action }) => [ordinal, action]),
  );
  expect((await stores.notifications.targets(rowsOf('repos')[0]?.user_id as UserId)).length).toBeGreaterThan(0);
  const asked = rowsOf('issues').find(({ status }) => status === 'awaiting_approval')?.id as IssueId;
  const decided = await stores.issues.apply({
    issueId: asked,
    from: { status: 'awaiting_approval' },
    trigger: 'plan_approved',
    set: { stage: 'implement', gate: null },
    events: [],
  });
  expect(decided).toMatchObject({ kind: 'applied', issue: { status: 'running' } });
}

const everyRow = (database: Sqlite.Database) =>
  Object.fromEntries(
    database
      .prepare<[], string>("select name from sqlite_schema where type = 'table' order by name")
      .pluck()
      .all()
      .map((name) => [name, database.prepare(`select * from "${name}"`).all()]),
  );

describe('an installation of the release before', () => {
  it('keeps every session, role, issue and entry, and goes back by the copy that its upgrade made: SQLite', async () => {
    const file = join(dataDir, 'sluice.db');
    const old = openWriter(file);
    migrateSqlite(old, before('sqlite'));
    fillSqlite(old);
    const rows = everyRow(old);
    old.close();
    const clock = settableClock(new Date(1_795_166_200_000));
    {
      await using stores = await openSqlite({ dataDir, clock });
      await expectEverything(stores);
    }

    // The steps of docs/deployment.md.
    const copies = readdirSync(dataDir).filter((name) => name.startsWith('sluice.db.before-'));
    expect(copies).toHaveLength(1);
    for (const name of ['sluice.db-wal', 'sluice.db-shm']) rmSync(join(dataDir, name), { force: true });
    copyFileSync(join(dataDir, copies[0] ?? ''), file);
    const back = openWriter(file);
    expect(migrateSqlite(back, before('sqlite'))).toEqual([]); // the older release opens it
    expect(everyRow(back)).toEqual(rows);
    back.close();
    await using again = await openSqlite({ dataDir, clock });
    await expectEverything(again);
  });

  it('keeps every session, role, issue and entry: Postgres', async () => {
    const url = await server.createDatabase();
    const target = { url, applicationName: 'sluice-test' };
    await migratePg({ connection: { connectionString: url }, known: before('pg') });
    const client = new Client({ connectionString: server.superuserUrl(url) });
    await client.connect();
    await fillPostgres(client);
    await client.end();
    const kept = await server.createDatabase(new URL(url).pathname.slice(1)); // as a dump keeps it
    await upgradeDatabase(target, { dryRun: false });
    const clock = settableClock(new Date(1_795_166_200_000));
    {
      await using stores = await openPostgres({ ...target, clock });
      await expectEverything(stores);
    }
    expect(await migratePg({ connection: { connectionString: kept }, known: before('pg') })).toEqual([]);
    await using again = await openPostgres({ ...target, url: kept, clock });
    await expectEverything(again);
  });
});
