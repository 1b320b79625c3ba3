import { AsyncLocalStorage } from 'node:async_hooks';
import { backoffMs, sleep } from '@sluice/core';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { Pool, PoolClient } from 'pg';
import type { Db } from '../schema/kit.ts';
import { createDispatchLine } from './dispatch-line.ts';
import { createNamedStatements } from './named-statements.ts';
import { isAway, isConflict, isStaleStatement, isUnanswered, pgFailure } from './pg-failure.ts';

const TRIES = 5;
const BACKOFF = { firstMs: 20, jitter: true };
/** The dispatch lock: "sluice" in ASCII, as a number. See `Database.lockDispatch`. */
const DISPATCH_LOCK = 0x736c75696365;

/** Runs each transaction on its own connection, which it takes with its first statement. */
export interface PgTransactions {
  run<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * The first statement of a transaction; the lock is held to its end. At most one connection of this process waits for
   * it.
   *
   * @throws AppError `not_ready` when too many are ahead of it
   */
  lockDispatch(): Promise<void>;
  /** Runs raw SQL in the current transaction, once for each set of values. */
  query(sql: string, values: readonly (readonly unknown[])[]): Promise<void>;
}

/**
 * A transaction is retried when Postgres rolled it back for a conflict, a prepared statement was stale, or its
 * connection was lost before its commit was sent: then none of it took effect. A connection lost during the commit is
 * not retried, because the commit may have succeeded.
 *
 * @param dispatchWaitMs the longest wait of a transaction for its turn to wait for the dispatch lock
 */
export function createPgTransactions(pool: Pool, { dispatchWaitMs }: { dispatchWaitMs: number }): PgTransactions {
  const inside = new AsyncLocalStorage<Transaction>();
  const named = createNamedStatements();
  const line = createDispatchLine(dispatchWaitMs);

  async function attempt<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const transaction = createTransaction(pool);
    const client = named.on(transaction);
    try {
      const result = await inside.run(transaction, () => work(drizzle({ client }) as unknown as Db));
      await transaction.commit();
      return result;
    } catch (error) {
      await transaction.rollback(error);
      throw error;
    } finally {
      transaction.release();
    }
  }

  function current(): Transaction {
    const transaction = inside.getStore();
    if (transaction === undefined) throw new Error('This is called inside a transaction.');
    return transaction;
  }

  async function query(sql: string, values: readonly (readonly unknown[])[]): Promise<void> {
    const client = named.on(current());
    for (const some of values) await client.query({ text: sql }, [...some]);
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
    lockDispatch: async () => {
      if (current().isBegun()) throw new Error('The dispatch lock is not the first statement of its transaction.');
      await line.enter(() => query('select pg_advisory_xact_lock($1)', [[DISPATCH_LOCK]]));
    },
    query,
  };
}

interface Transaction extends Pick<PoolClient, 'query'> {
  /** Whether it has a connection. */
  isBegun(): boolean;
  /** @throws CommitUnknown when the connection is lost meanwhile */
  commit(): Promise<void>;
  rollback(error: unknown): Promise<void>;
  /** Gives the connection back, or ends one that is broken. */
  release(): void;
}

function createTransaction(pool: Pool): Transaction {
  let begun: Promise<PoolClient> | undefined;
  let connected: PoolClient | undefined;
  let broken = false;
  const lost: Error[] = [];
  // An idle connection reports its loss by an event, which without a listener would end the process.
  const onError = (error: Error) => {
    broken = true;
    lost.push(error);
  };

  async function begin(): Promise<PoolClient> {
    connected = await pool.connect();
    connected.on('error', onError);
    await connected.query('begin');
    return connected;
  }

  const query = async (...args: unknown[]): Promise<unknown> => {
    begun ??= begin();
    const client = await begun;
    return await (client.query as (...args: unknown[]) => Promise<unknown>).apply(client, args);
  };

  return {
    query: query as PoolClient['query'],
    isBegun: () => begun !== undefined,
    commit: async () => {
      if (lost[0] !== undefined) throw lost[0]; // since its last query: nothing stands
      try {
        await connected?.query('commit');
      } catch (error) {
        throw isAway(error) ? new CommitUnknown(error) : error;
      }
    },
    rollback: async (error) => {
      if (isAway(error) || error instanceof CommitUnknown) broken = true;
      else if (!broken) broken = (await connected?.query('rollback').then(isFine, isBroken)) ?? false;
    },
    release: () => {
      connected?.off('error', onError);
      connected?.release(broken);
    },
  };
}

const isFine = () => false;
const isBroken = () => true;

class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super('The connection was lost in a commit.', { cause });
    this.name = 'CommitUnknown';
  }
}
