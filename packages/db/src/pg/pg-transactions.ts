import { AsyncLocalStorage } from 'node:async_hooks';
import { backoffMs, sleep } from '@sluice/core';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { Pool, PoolClient } from 'pg';
import type { Db } from '../schema/kit.ts';
import { createNamedStatements } from './named-statements.ts';
import { isAway, isConflict, isStaleStatement, isUnanswered, pgFailure } from './pg-failure.ts';

const TRIES = 5;
const BACKOFF = { firstMs: 20, jitter: true };
/** The dispatch lock: "sluice" in ASCII, as a number. See `Database.lockDispatch`. */
const DISPATCH_LOCK = 0x736c75696365;

/** Runs each transaction on its own connection. */
export interface PgTransactions {
  run<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Held to the end of the current transaction. */
  lockDispatch(): Promise<void>;
  /** Runs raw SQL in the current transaction, once for each set of values. */
  query(sql: string, values: readonly (readonly unknown[])[]): Promise<void>;
}

/**
 * A transaction is retried when Postgres rolled it back for a conflict, a prepared statement was stale, or its
 * connection was lost before its commit was sent: then none of it took effect. A connection lost during the commit is
 * not retried, because the commit may have succeeded.
 */
export function createPgTransactions(pool: Pool): PgTransactions {
  const inside = new AsyncLocalStorage<PoolClient>();
  const named = createNamedStatements();

  async function attempt<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    let broken = false;
    const lost: Error[] = [];
    // An idle connection reports its loss by an event, which without a listener would end the process.
    const onError = (error: Error) => {
      broken = true;
      lost.push(error);
    };
    client.on('error', onError);
    let committing = false;
    try {
      await client.query('begin');
      const result = await inside.run(client, () => work(drizzle({ client: named.on(client) }) as unknown as Db));
      if (lost[0] !== undefined) throw lost[0]; // since its last query: nothing stands
      committing = true;
      await client.query('commit');
      return result;
    } catch (error) {
      if (isAway(error)) broken = true;
      else if (broken === false) broken = await client.query('rollback').then(isFine, isBroken);
      throw committing && isAway(error) ? new CommitUnknown(error) : error;
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  return {
    run: async (work) => {
      // It would wait for a second connection while holding the first: a deadlock under load.
      if (inside.getStore()) throw new Error('A transaction was begun inside another one: pass its `db` on instead.');
      for (let tried = 1; ; tried += 1) {
        try {
          return await attempt(work);
        } catch (error) {
          if (error instanceof CommitUnknown) throw pgFailure(error.cause);
          const isStale = isStaleStatement(error);
          if (isStale) named.renew();
          const mayHelp = isStale || isConflict(error) || (isAway(error) && !isUnanswered(error));
          if (tried === TRIES || !mayHelp) throw pgFailure(error);
          await sleep(backoffMs(tried, BACKOFF));
        }
      }
    },
    lockDispatch: () => query('select pg_advisory_xact_lock($1)', [[DISPATCH_LOCK]]),
    query,
  };

  async function query(sql: string, values: readonly (readonly unknown[])[]): Promise<void> {
    const client = inside.getStore();
    if (client === undefined) throw new Error('This is called inside a transaction.');
    for (const some of values) await named.on(client).query({ text: sql }, [...some]);
  }
}

const isFine = () => false;
const isBroken = () => true;

class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super('The connection was lost in a commit.', { cause });
    this.name = 'CommitUnknown';
  }
}
