import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { eventually, isSoakRun, type PostgresDatabases, sharedPostgres } from '@sluice/testing';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Migration, readMigrations } from '../../src/engine/migrations.ts';
import { upgradeDatabase } from '../../src/index.ts';
import { migratePg } from '../../src/pg/migrate-pg.ts';
import { withMigrationLock } from '../../src/pg/migration-lock.ts';
import { firstSchemaRowsForPg } from '../first-schema-rows.ts';
import { describePgSchema, nameOf } from '../pg-schema.ts';

// Usual way: packages/db/test/migrate-sqlite.test.ts, packages/db/test/schema.test.ts

const script = fileURLToPath(new URL('../open-and-leave.ts', import.meta.url));
const known = readMigrations('pg');
const first = known.slice(0, 1);
const names = known.map(({ name }) => name);
const applicationName = 'sluice-test';

let server: PostgresDatabases;
let golden: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  server = await sharedPostgres();
  const url = await server.createDatabase();
  await server.query(readFileSync(new URL('../schema/pg.sql', import.meta.url), 'utf8'), nameOf(url));
  golden = await describePgSchema(server, url);
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(() => server[Symbol.asyncDispose]());

const migrate = (url: string, migrations: readonly Migration[], waitMs?: number) =>
  migratePg({ connection: { connectionString: url, application_name: applicationName }, known: migrations, waitMs });

/** A database as the first release left it. */
async function firstRelease(): Promise<string> {
  const url = await server.createDatabase();
  await migrate(url, first);
  await server.query(firstSchemaRowsForPg(), nameOf(url));
  return url;
}

async function applied(url: string): Promise<unknown[]> {
  return (await server.query('select name from migrations order by name', nameOf(url))).map(({ name }) => name);
}

async function rowCounts(url: string): Promise<Record<string, unknown>> {
  const tables = await server.query(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migrations'`,
    nameOf(url),
  );
  const counts: Record<string, unknown> = {};
  for (const { name } of tables) {
    counts[String(name)] = (await server.query(`select count(*)::int as n from "${name}"`, nameOf(url)))[0]?.n;
  }
  return counts;
}

/** A real process that opens the database. */
function start(url: string) {
  const child = spawn(process.execPath, [script, url], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  const said = text(child.stderr);
  const ended = (once(child, 'exit') as Promise<[number | null]>).then(async ([code]) => ({ code, said: await said }));
  return { child, ended, opens: once(createInterface({ input: child.stdout }), 'line') };
}

/** Events that name the user of their issue. */
const WITH_THEIR_USER = `select count(*)::int as n from events
  join issues on issues.id = events.issue_id and issues.user_id = events.user_id`;

const fine = { code: 0, said: '' };

describe('migrations on Postgres', () => {
  it('create the committed schema, on an empty database and on a filled one', async () => {
    const empty = await server.createDatabase();
    const filled = await firstRelease();
    const before = await rowCounts(filled);
    expect(Object.entries(before).filter(([, count]) => count === 0)).toEqual([]);
    for (const url of [empty, filled]) {
      await migrate(url, known);
      expect(await describePgSchema(server, url)).toBe(golden);
    }
    expect(await rowCounts(filled)).toMatchObject(before);
  });

  it('apply once, and say which', async () => {
    const url = await firstRelease();
    expect(await migrate(url, known)).toEqual(names.slice(1));
    expect(await migrate(url, known)).toEqual([]);
    expect(await applied(url)).toEqual(names);
  });

  it('are undone as a whole when a statement fails', async () => {
    const url = await firstRelease();
    const broken = { name: '9999_broken', sql: 'drop table command_log; create table users (n integer)' };
    await expect(migrate(url, [...first, broken])).rejects.toThrow(/already exists/);
    expect(await rowCounts(url)).toMatchObject({ command_log: 1 });
    expect(await applied(url)).toEqual(['0000_first_schema']);
  });

  it('give the events of the first release their user', async () => {
    const url = await firstRelease();
    await migrate(url, known);
    expect(await server.query(WITH_THEIR_USER, nameOf(url))).toEqual([{ n: 3 }]);
  });

  it('run outside a transaction where they say so, and from the beginning after a failure', async () => {
    const url = await server.createDatabase();
    const steps = (last: string) => ({
      name: '9999_steps',
      sql: `-- outside a transaction: for this test
        create table if not exists numbers (n integer);--> statement-breakpoint
        create index concurrently if not exists numbers_n on numbers (n);--> statement-breakpoint
        insert into numbers values (1);--> statement-breakpoint
        ${last}`,
    });
    await expect(migrate(url, [...first, steps('select 1 / 0')])).rejects.toThrow(/division by zero/);
    expect(await applied(url)).toEqual(['0000_first_schema']);
    expect(await migrate(url, [...first, steps('select 1')])).toEqual(['9999_steps']);
    expect(await server.query('select count(*)::int as n from numbers', nameOf(url))).toEqual([{ n: 2 }]);
  });

  it('are listed without being applied, also on an empty database', async () => {
    const empty = await server.createDatabase();
    const older = await firstRelease();
    expect(await upgradeDatabase({ url: empty, applicationName }, { dryRun: true })).toEqual(names);
    expect(await upgradeDatabase({ url: older, applicationName }, { dryRun: true })).toEqual(names.slice(1));
    expect(await rowCounts(empty)).toEqual({});
    expect(await applied(older)).toEqual(['0000_first_schema']);
    expect(await upgradeDatabase({ url: empty, applicationName }, { dryRun: false })).toEqual(names);
    expect(await upgradeDatabase({ url: empty, applicationName }, { dryRun: true })).toEqual([]);
  });

  it.each([true, false])(
    'refuse a database that a newer version wrote and change nothing (dry run: %s)',
    async (dryRun) => {
      const url = await firstRelease();
      await migrate(url, [...first, { name: '9999_later', sql: 'create table later (n integer)' }]);
      const before = await describePgSchema(server, url);
      await expect(upgradeDatabase({ url, applicationName }, { dryRun })).rejects.toMatchObject({
        reason: 'newer',
        message: expect.stringMatching(/newer version.*9999_later.*start/),
      });
      expect(await describePgSchema(server, url)).toBe(before);
    },
  );

  it('time out when another process does not finish, and name it', async () => {
    const url = await server.createDatabase();
    const connection = { connectionString: url, application_name: 'the-slow-one' };
    await withMigrationLock({ connection }, async () => {
      await expect(upgradeDatabase({ url, applicationName, waitMs: 200 }, { dryRun: false })).rejects.toMatchObject({
        reason: 'in_use',
        message: expect.stringMatching(/more than 1 s \(Postgres process \d+, "the-slow-one"\): wait/),
      });
    });
    expect(await upgradeDatabase({ url, applicationName }, { dryRun: false })).toEqual(names);
  });

  it('do not block other users of a table while a long transaction locks it, and continue when it ends', async () => {
    const url = await firstRelease();
    const long = new Client(url);
    await long.connect();
    await long.query('begin; select from issues');
    await expect(migrate(url, known, 1)).rejects.toMatchObject({
      reason: 'in_use',
      message: expect.stringMatching(/"0001_notes_are_read" cannot be made.*transaction/),
    });
    const migrated = migrate(url, known);
    await eventually(async () => {
      const waiting = await server.query(
        `select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`,
        nameOf(url),
      );
      expect(waiting).toHaveLength(1);
    });
    // It stands in the queue behind the change, and is let through long before the transaction ends.
    expect(await server.query('select count(*)::int as n from issues', nameOf(url))).toEqual([{ n: 2 }]);
    await long.query('commit');
    await long.end();
    expect(await migrated).toEqual(names.slice(1));
  });
});

/** The soak run starts more processes, and kills more of them. */
const AT_ONCE = isSoakRun ? 8 : 3;
const KILLS = isSoakRun ? 20 : 2;

describe('processes that start at once', () => {
  it.each([
    ['an empty database', () => server.createDatabase()],
    ['a database of the release before', firstRelease],
  ])('open %s: one migrates, the others wait, none fails', async (_what, make) => {
    const url = await make();
    const before = await rowCounts(url);
    // All of them get as far as the lock before one goes on.
    const connection = { connectionString: url, application_name: applicationName };
    const started = await withMigrationLock({ connection }, async () => {
      const all = Array.from({ length: AT_ONCE }, () => start(url));
      const allWait = async () => {
        const waiting = await server.query(
          `select from pg_stat_activity where application_name = '${applicationName}' and query like 'select pg_try_advisory_lock%'`,
        );
        // The one that holds it asked for it, too.
        expect(waiting).toHaveLength(AT_ONCE + 1);
      };
      await vi.waitFor(allWait, { timeout: 240_000, interval: 200 });
      return all;
    });
    expect(await Promise.all(started.map(({ ended }) => ended))).toEqual(started.map(() => fine));
    expect(await applied(url)).toEqual(names);
    expect(await describePgSchema(server, url)).toBe(golden);
    expect(await rowCounts(url)).toMatchObject(before);
  });
});

describe('a process that is killed while it migrates', () => {
  /** Every change of a table takes so long: kills then hit between any two of them. */
  const SLOW_DDL = `create function slow() returns event_trigger language plpgsql as 'begin perform pg_sleep(0.02); end';
    create event trigger slow on ddl_command_end execute function slow()`;
  const MAX_MS = 1_600; // about what all changes together then take

  it(`leaves nothing half done, at ${KILLS} different moments: the next one finishes`, async () => {
    const found = new Set<number>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const url = await (kill % 2 === 0 ? server.createDatabase() : firstRelease());
      await server.query(SLOW_DDL, nameOf(url));
      const before = await rowCounts(url);
      const { child, ended, opens } = start(url);
      await opens;
      await new Promise((resolve) => setTimeout(resolve, (MAX_MS * kill) / KILLS));
      child.kill('SIGKILL');
      await ended;
      await server.query('drop event trigger slow', nameOf(url));
      found.add((await upgradeDatabase({ url, applicationName }, { dryRun: true })).length);
      await upgradeDatabase({ url, applicationName }, { dryRun: false });
      expect(await applied(url)).toEqual(names);
      expect(await describePgSchema(server, url)).toBe(golden);
      expect(await rowCounts(url)).toMatchObject(before);
    }
    expect(found.size, 'the kills met the migrations at one place only').toBeGreaterThan(1);
  });
});
