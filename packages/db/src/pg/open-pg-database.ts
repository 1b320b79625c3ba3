import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { type ClientConfig, Pool } from 'pg';
import type { Database } from '../database.ts';
import { DatabaseRefusal } from '../database-refusal.ts';
import type { Db } from '../kit.ts';
import { readMigrations } from '../migrations.ts';
import type { Tables } from '../schema.ts';
import * as tables from '../schema-pg.ts';
import { migratePg } from './migrate-pg.ts';
import { isAway, pgFailure } from './pg-failure.ts';
import { createPgTransactions } from './pg-transactions.ts';
import { readAgain } from './read-again.ts';

export interface PgOptions {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  /** Connections at most. */
  readonly poolSize?: number | undefined;
  /** Told of a connection that was lost while nobody used it. */
  readonly onConnectionLost?: ((error: unknown) => void) | undefined;
  /** Puts a job for each of these issues into the queue, in the transaction that made them runnable. */
  readonly queue?: PgQueue | undefined;
}

/** A queue in the same database. */
interface PgQueue {
  /** Makes or updates its own tables; called under the lock of our migrations. */
  migrate(): Promise<void>;
  /** The SQL that adds one job: `$1` is the issue's id, `$2` the milliseconds until it is due. */
  readonly addJob: string;
}

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 30_000; // all queries are short; one that is not holds others up
const LOCK_TIMEOUT_MS = 15_000;
const IDLE_IN_TRANSACTION_MS = 60_000; // a process that was stopped in its tracks must not hold its locks for ever

/**
 * Opens the Postgres database, and brings it up to date.
 *
 * @throws DatabaseRefusal when a newer version wrote it, or it cannot be reached
 */
export async function openPgDatabase(options: PgOptions): Promise<Database> {
  const connection = connectionOf(options);
  try {
    await migratePg({ connection, known: readMigrations('pg'), alongside: options.queue?.migrate });
  } catch (error) {
    throw refusalOf(error);
  }
  const pool = new Pool({ ...connection, max: options.poolSize ?? POOL_SIZE });
  pool.on('error', (error) => options.onConnectionLost?.(pgFailure(error)));
  const transactions = createPgTransactions(pool);
  return {
    tables: tables as Tables,
    read: drizzle({ client: readAgain(pool) }) as unknown as Db,
    tx: (work) => transactions.run(work),
    lockDispatch: () => transactions.lockDispatch(),
    enqueue: async (jobs) => {
      if (options.queue === undefined) return;
      await transactions.query(
        options.queue.addJob,
        jobs.map(({ issueId, inMs }) => [issueId, Math.trunc(inMs)]),
      );
    },
    // Not `now()`: that is when the transaction began, and it may have waited for a lock since.
    at: (ms) => sql`(clock_timestamp() + ${Math.trunc(ms)} * interval '1 millisecond')`,
    close: async () => {
      await pool.end();
    },
  };
}

function connectionOf({ url, applicationName }: Pick<PgOptions, 'url' | 'applicationName'>): ClientConfig {
  return {
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
  };
}

function refusalOf(error: unknown): unknown {
  if (error instanceof DatabaseRefusal) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const sentences: Record<string, string> = {
    '28P01': 'Postgres refused the password in DATABASE_URL.',
    '28000': 'Postgres does not let this user in: check the user in DATABASE_URL and pg_hba.conf.',
    '3D000': 'The database named in DATABASE_URL does not exist: create it with "createdb".',
    '42501': 'The user in DATABASE_URL may not make tables: give it that right on the database.',
  };
  const sentence =
    sentences[code] ?? (isAway(error) ? 'Postgres cannot be reached: check DATABASE_URL and start it.' : null);
  return sentence === null
    ? pgFailure(error)
    : new DatabaseRefusal('unreachable', sentence, { cause: pgFailure(error) });
}
