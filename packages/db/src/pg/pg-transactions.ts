import { AsyncLocalStorage } from 'node:async_hooks';
import { backoffMs, createSemaphore, sleep } from '@sluice/core/async';
import { AppError } from '@sluice/core/error';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { Pool, PoolClient } from 'pg';
import type { AtEnd } from '../engine/database.ts';
import type { Db } from '../schema/kit.ts';
import { createNamedStatements } from './named-statements.ts';
import { isAway, isConflict, isStaleStatement, isUnanswered, pgFailure } from './pg-failure.ts';
import { CommitUnknown, createPgTransaction, type PgTransaction } from './pg-transaction.ts';
import type { StatementShapes } from './statement-batch.ts';

const TRIES = 5;
const BACKOFF = { firstMs: 20, jitter: true };

/** The dispatch lock: "sluice" in ASCII, as a number. See `Database.lockDispatch`. */
const DISPATCH_LOCK = 0x736c75696365;

/** Runs each transaction on its own connection, which it takes with its first statement. */
export interface PgTransactions {
  run<T>(work: (db: Db, atEnd: AtEnd) => Promise<T>): Promise<T>;
  /**
   * The first statement of a transaction; the lock is held to its end. At most one connection of this process waits for
   * it. Resolves once it is asked for: it is held when the next statement runs, which is sent with it.
   *
   * @throws AppError `not_ready` when too many are ahead of it
   */
  lockDispatch(): Promise<void>;
  /** Runs raw SQL in the current transaction. */
  query(sql: string, values: readonly unknown[]): Promise<void>;
}

/**
 * A transaction is retried when Postgres rolled it back for a conflict, a prepared statement was stale, or its
 * connection was lost before its commit was sent: then none of it took effect. A connection lost during the commit is
 * not retried, because the commit may have succeeded.
 *
 * @param dispatchWaitMs the longest wait of a transaction for its turn to wait for the dispatch lock
 */
export function createPgTransactions(pool: Pool, { dispatchWaitMs }: { dispatchWaitMs: number }): PgTransactions {
  const inside = new AsyncLocalStorage<PgTransaction>();
  const named = createNamedStatements();
  const line = createDispatchLine(dispatchWaitMs);
  const shapes = new WeakMap<PoolClient, StatementShapes>();
  // One for all transactions, so that a statement that was built for it is built once.
  const client = { query: ((config, values) => current().query(config, values)) as PgTransaction['query'] };
  const db = drizzle({ client: client as unknown as PoolClient }) as unknown as Db;

  function shapesOf(client: PoolClient): StatementShapes {
    const known = shapes.get(client);
    if (known !== undefined) return known;
    const made: StatementShapes = new Map();
    shapes.set(client, made);
    return made;
  }

  async function attempt<T>(work: (db: Db, atEnd: AtEnd) => Promise<T>): Promise<T> {
    const transaction = createPgTransaction({ connect: () => pool.connect(), named, shapesOf });
    try {
      return await inside.run(transaction, async () => {
        const last: (() => PromiseLike<unknown>)[] = [];
        const result = await work(db, (statement) => void last.push(statement));
        await transaction.commit(last);
        return result;
      });
    } catch (error) {
      await transaction.rollback(error);
      throw error;
    } finally {
      transaction.release();
    }
  }

  function current(): PgTransaction {
    const transaction = inside.getStore();
    if (transaction === undefined) throw new Error('This must be called inside a transaction.');
    return transaction;
  }

  async function query(sql: string, values: readonly unknown[]): Promise<void> {
    await current().query({ text: sql }, values);
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
      await line.enter(() => query('select pg_advisory_xact_lock($1)', [DISPATCH_LOCK]));
    },
    query,
  };
}

/** The line of this process's transactions in front of the dispatch lock. */
interface DispatchLine {
  /**
   * Runs `lock`, which asks for the lock, when its turn comes, and does not wait for its answer: so the next statement of
   * the transaction, which Postgres runs once the lock is held, goes into the same message. The turn passes on with the
   * answer, so that the next one already waits in the database when the lock is free.
   *
   * @throws AppError `not_ready` when its turn does not come in time. The error of `lock` is not passed on: every other
   *   statement of its message has it
   */
  enter(lock: () => Promise<void>): Promise<void>;
}

/**
 * A transaction that waits for the lock in the database occupies a connection. Without this line, a few of them would
 * occupy them all, and reads, renewals and the readiness check would wait with them.
 *
 * @param waitMs the longest wait for a turn
 */
export function createDispatchLine(waitMs: number): DispatchLine {
  const turns = createSemaphore(1);
  return {
    enter: (lock) =>
      new Promise((resolve, reject) => {
        const turn = () => {
          const held = lock();
          resolve();
          return held;
        };
        turns.run(turn, AbortSignal.timeout(waitMs)).catch((cause: unknown) => {
          reject(new AppError('not_ready', { detail: 'The database is too busy to answer in time.' }, { cause }));
        });
      }),
  };
}
