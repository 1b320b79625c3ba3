import { setTimeout as pause } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';
import { DatabaseRefusal } from '../engine/database-refusal.ts';
import { type Migration, pendingMigrations, STATEMENT_BREAK } from '../engine/migrations.ts';
import { MIGRATION_WAIT_MS, withMigrationLock } from './migration-lock.ts';
import { isDeadlock, isLockTimeout } from './pg-failure.ts';

const LEDGER = `create table if not exists migrations (
  name text primary key,
  applied_at timestamp (3) with time zone not null default now()
)`;

/**
 * While a migration waits for a table, all later queries on it queue behind it, so it backs off and lets them through.
 */
const TABLE_WAIT_MS = 3_000;
const STEP_BACK_MS = 500;

const OUTSIDE = '-- outside a transaction';

export interface PgMigrations {
  readonly connection: ClientConfig;
  readonly known: readonly Migration[];
  /** Migrates other tables in the database (the queue), under the same lock. */
  readonly alongside?: (() => Promise<void>) | undefined;
  /** Timeout for another migrating process, and for a table locked by a transaction. */
  readonly waitMs?: number | undefined;
}

/**
 * Applies pending migrations, each in its own transaction, under one lock on one connection. Of several processes that
 * start at once one migrates and the others wait. A process killed halfway leaves complete migrations and no lock.
 *
 * A file that begins with `-- outside a transaction: why` runs one statement after the other instead: for what would
 * lock a large table too long, and `create index concurrently`. Interrupted, it runs again from its first statement, so
 * it must be written to be repeated.
 *
 * @returns the names of the applied migrations
 * @throws DatabaseRefusal `newer`, before anything is changed; `in_use` when the wait timed out
 */
export async function migratePg(migrations: PgMigrations): Promise<readonly string[]> {
  return await withMigrationLock(migrations, (client) => migrateUnderLock(client, migrations));
}

/** Like `migratePg`, on the connection that already holds the lock. */
export async function migrateUnderLock(
  client: Client,
  { known, alongside, waitMs = MIGRATION_WAIT_MS }: Omit<PgMigrations, 'connection'>,
): Promise<readonly string[]> {
  await client.query(LEDGER);
  const pending = pendingMigrations(known, await appliedTo(client));
  const until = Date.now() + waitMs;
  for (const migration of pending) await applyOnceFree(client, { migration, until });
  await alongside?.();
  return pending.map(({ name }) => name);
}

/**
 * The names of the pending migrations; changes nothing.
 *
 * @throws DatabaseRefusal `newer`
 */
export async function pendingOnPg(connection: ClientConfig, known: readonly Migration[]): Promise<readonly string[]> {
  const client = new Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ ledger: string | null }>(`select to_regclass('migrations')::text as ledger`);
    const applied = rows[0]?.ledger == null ? [] : await appliedTo(client);
    return pendingMigrations(known, applied).map(({ name }) => name);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function appliedTo(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>('select name from migrations');
  return rows.map(({ name }) => name);
}

interface Step {
  readonly migration: Migration;
  readonly until: number;
}

async function applyOnceFree(client: Client, step: Step): Promise<void> {
  for (;;) {
    try {
      if (step.migration.sql.startsWith(OUTSIDE)) await applyInSteps(client, step);
      else await apply(client, step.migration);
      return;
    } catch (error) {
      // A deadlock: a process of an older release waits for the lock of the migrations in one long statement.
      if (!isLockTimeout(error) && !isDeadlock(error)) throw error;
      if (Date.now() > step.until) throw tableHeld(step.migration, error);
      await pause(STEP_BACK_MS);
    }
  }
}

async function apply(client: Client, { name, sql }: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${TABLE_WAIT_MS}`);
    await client.query(sql);
    await client.query('insert into migrations (name) values ($1)', [name]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function applyInSteps(client: Client, { migration: { name, sql }, until }: Step): Promise<void> {
  const { rows } = await client.query<{ lock_timeout: string }>('show lock_timeout');
  try {
    for (const statement of sql.split(STATEMENT_BREAK)) {
      // An index that is built concurrently waits for the transactions of others, and nobody waits for it.
      const waitMs = /\bindex concurrently\b/i.test(statement)
        ? Math.max(until - Date.now(), TABLE_WAIT_MS)
        : TABLE_WAIT_MS;
      await client.query(`set lock_timeout = ${waitMs}`);
      await client.query(statement);
    }
    await client.query('insert into migrations (name) values ($1)', [name]);
  } finally {
    await client.query(`set lock_timeout = '${rows[0]?.lock_timeout ?? 0}'`).catch(() => undefined);
  }
}

function tableHeld({ name }: Migration, cause: unknown): DatabaseRefusal {
  return new DatabaseRefusal(
    'in_use',
    `The change "${name}" cannot be made: somebody's transaction holds a table that it needs. Look for a long one in pg_stat_activity, end it, and start again.`,
    { cause },
  );
}
