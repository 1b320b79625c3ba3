import { retry } from '@sluice/core/async';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Pool, type QueryConfig } from 'pg';
import type { Database } from '../engine/database.ts';
import { readMigrations } from '../engine/migrations.ts';
import type { Db } from '../schema/kit.ts';
import type { Tables } from '../schema/schema.ts';
import * as tables from '../schema/schema-pg.ts';
import { migratePg } from './migrate-pg.ts';
import { createNamedStatements } from './named-statements.ts';
import { connectionOf, type PgTarget } from './pg-connection.ts';
import { isAway, isStaleStatement, isUnanswered, isUnwritable, pgFailure } from './pg-failure.ts';
import { pgRefusal } from './pg-refusal.ts';
import { createPgTransactions } from './pg-transactions.ts';
import { createSettledAudit, createSettledEvents, lastEventOrdinal } from './settled-events.ts';

export interface PgOptions extends PgTarget {
  /** Connections at most. */
  readonly poolSize?: number | undefined;
  /** Called when an idle connection is lost. */
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

/** Store queries are short. These limits report a stuck one within seconds. */
const LIMITS = {
  statement_timeout: 10_000,
  lock_timeout: 8_000,
  // A stopped process must not hold its locks longer than others wait for them.
  idle_in_transaction_session_timeout: 5_000,
  // A stopped server keeps connections open; only this client-side timeout notices. It is for all statements of one
  // message together, so that a caller hears of it as soon: what does not fit together is stuck as well.
  query_timeout: 10_000,
};

/**
 * Opens and migrates the Postgres database.
 *
 * @throws DatabaseRefusal when it is unreachable or of a newer version
 */
export async function openPgDatabase(options: PgOptions): Promise<Database> {
  const connection = connectionOf(options);
  try {
    await migratePg({ connection, known: readMigrations('pg'), alongside: options.queue?.migrate });
  } catch (error) {
    throw pgRefusal(error);
  }
  const pool = new Pool({ ...connection, ...LIMITS, max: options.poolSize ?? POOL_SIZE });
  // A connection that has left the pool can still emit an error, which without a listener would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (error) => options.onConnectionLost?.(pgFailure(error)));
  const transactions = createPgTransactions(pool, { dispatchWaitMs: LIMITS.lock_timeout });
  const reader = readAgain(pool);
  return {
    tables: tables as Tables,
    read: drizzle({ client: reader }) as unknown as Db,
    tx: (work) => transactions.run(work),
    lockDispatch: () => transactions.lockDispatch(),
    enqueue: (jobs, atEnd) => {
      if (options.queue === undefined) return;
      const { addJob } = options.queue;
      for (const { issueId, inMs } of jobs) atEnd(() => transactions.query(addJob, [issueId, Math.trunc(inMs)]));
    },
    readBy: (table) => sql`${table}`,
    msBetween: (from, to) => sql`cast(extract(epoch from ${to} - ${from}) * 1000 as bigint)`,
    bytesOf: (column) => sql`pg_column_size(${column})`,
    // Not `now()`, which is the start of the transaction: it may have waited for a lock since.
    at: (ms) => sql`(clock_timestamp() + ${ms} * interval '1 millisecond')`,
    settledEvents: createSettledEvents((text) => reader.query(text)),
    settledAudit: createSettledAudit((text) => reader.query(text)),
    lastEventOrdinal: () => lastEventOrdinal((text) => reader.query(text)),
    rewrite: () =>
      transactions.query(
        `update slots set retired = slots.retired from (select number from slots order by number limit 1
           for no key update skip locked) as free where slots.number = free.number`,
        [],
      ),
    isHeldByOther: () => false, // it waits for no row, and for a table only as long as everybody else
    isUnwritable,
    optimize: async () => {},
    releaseSpace: async () => false,
    rowsAtOnce: 5_000,
    turn: () => null,
    failure: pgFailure,
    close: async () => {
      await pool.end();
    },
  };
}

const ATTEMPTS = 4;
const BACKOFF = { firstMs: 10 }; // time for the pool to learn which other connections are lost too

/**
 * The pool for read-only queries. A query whose connection was lost is retried on another: reads are safe to repeat,
 * and after a server restart every idle connection is lost. A stale prepared statement is prepared again.
 */
function readAgain(pool: Pool): Pool {
  const named = createNamedStatements('sluice_read');
  const isRetryable = (error: unknown) => {
    const isStale = isStaleStatement(error);
    if (isStale) named.renew();
    return isStale || (isAway(error) && !isUnanswered(error));
  };
  const query = (config: QueryConfig | string, values?: unknown[]): Promise<unknown> =>
    retry({ backoff: BACKOFF, attempts: ATTEMPTS, isRetryable }, () => {
      const isNamed = typeof config === 'object' && Boolean(config.name);
      return (isNamed ? named.on(pool) : pool).query(config as QueryConfig, values);
    }).catch((error: unknown) => {
      throw pgFailure(error);
    });
  return new Proxy(pool, { get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)) });
}
