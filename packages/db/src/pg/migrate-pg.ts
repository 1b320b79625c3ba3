import { Client, type ClientConfig } from 'pg';
import { type Migration, pendingMigrations } from '../migrations.ts';

/** Held by whoever migrates, for the whole of it: "migrate" in ASCII, as a number that JavaScript and Postgres both hold. */
const MIGRATION_LOCK = 0x6d696772617465n;

const LEDGER = `create table if not exists migrations (
  name text primary key,
  applied_at timestamp (3) with time zone not null default now()
)`;

export interface PgMigrations {
  readonly connection: ClientConfig;
  readonly known: readonly Migration[];
  /** Brings up to date what else lives in the database, under the same lock. */
  readonly alongside?: (() => Promise<void>) | undefined;
}

/**
 * Applies what is missing, each migration in a transaction of its own, under one lock on one connection: of several
 * processes that start at once one migrates and the others wait. The lock ends with the connection, so a process that
 * is killed in the middle leaves whole migrations and no lock behind.
 *
 * @returns the names of those that were applied
 * @throws DatabaseRefusal `newer`, before anything is changed
 */
export async function migratePg({ connection, known, alongside }: PgMigrations): Promise<readonly string[]> {
  // A migration may rightly take longer than a query, and waits for another process's.
  const client = new Client({ ...connection, statement_timeout: 0, lock_timeout: 0 });
  client.on('error', () => undefined); // the query that it breaks says it
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [String(MIGRATION_LOCK)]);
    const pending = await missing(client, known);
    for (const migration of pending) await apply(client, migration);
    await alongside?.();
    return pending.map(({ name }) => name);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function missing(client: Client, known: readonly Migration[]): Promise<readonly Migration[]> {
  await client.query(LEDGER);
  const { rows } = await client.query<{ name: string }>('select name from migrations');
  return pendingMigrations(
    known,
    rows.map(({ name }) => name),
  );
}

async function apply(client: Client, { name, sql }: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(sql);
    await client.query('insert into migrations (name) values ($1)', [name]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
