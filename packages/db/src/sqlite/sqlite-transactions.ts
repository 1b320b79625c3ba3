import { AsyncLocalStorage } from 'node:async_hooks';
import { statSync } from 'node:fs';
import { AppError } from '@sluice/core';
import Sqlite from 'better-sqlite3';

/** Runs transactions on the one writing connection, one after another in the order in which they were asked for. */
export interface SqliteTransactions {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when the last one has ended; refuses further ones. */
  end(): Promise<void>;
}

/**
 * better-sqlite3 is synchronous, so the awaits of a transaction are microtasks and it ends within one turn of the event
 * loop. An await of anything else (network, file) lets the loop turn while every other writer waits. Such a transaction
 * is rolled back, so that the first test that runs it fails.
 *
 * @param onFull called when the disk is full; if it returns that it freed space, the transaction is retried once
 */
export function createSqliteTransactions(
  writer: Sqlite.Database,
  onFull: () => boolean = () => false,
): SqliteTransactions {
  const isInPlace = writer.memory ? () => true : fileWatch(writer.name);
  const inside = new AsyncLocalStorage<true>();
  let last: Promise<unknown> = Promise.resolve();
  let ended = false;

  async function transact<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await attempt(work);
    } catch (error) {
      if (!isFull(error)) throw error;
      if (!onFull()) throw diskFull(error);
    }
    try {
      return await attempt(work);
    } catch (error) {
      throw isFull(error) ? diskFull(error) : error;
    }
  }

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    // A file that was moved or deleted still accepts writes, which would be lost.
    if (!isInPlace()) throw fileGone();
    let turned = false;
    const turn = setImmediate(() => {
      turned = true;
    });
    // `immediate`: a transaction that reads first and writes later would fail at once if another process wrote in
    // between.
    writer.exec('begin immediate');
    try {
      const result = await work();
      if (turned) throw new Error('A transaction awaited something other than its own queries.');
      writer.exec('commit');
      return result;
    } catch (error) {
      if (writer.inTransaction) writer.exec('rollback');
      throw error;
    } finally {
      clearImmediate(turn);
    }
  }

  return {
    run: async (work) => {
      if (ended) throw new Error('The database is closed.');
      // It would wait for itself.
      if (inside.getStore()) throw new Error('A transaction was begun inside another one: pass its `db` on instead.');
      const run = last.then(() => inside.run(true, () => transact(work)));
      last = run.catch(() => {});
      return await run;
    },
    end: async () => {
      ended = true;
      await last;
    },
  };
}

/** Tells whether the path still leads to the file that was opened. Costs a few microseconds. */
function fileWatch(path: string): () => boolean {
  const { dev, ino } = statSync(path);
  return () => {
    const now = statSync(path, { throwIfNoEntry: false });
    return now?.ino === ino && now.dev === dev;
  };
}

function fileGone(): AppError {
  const detail =
    'The database has been moved or deleted while the service runs: nothing was changed. Restart the service.';
  return new AppError('not_ready', { detail });
}

/** A query's failure comes wrapped by drizzle, a commit's as it is. */
function isFull(error: unknown): boolean {
  if (error instanceof Sqlite.SqliteError) return error.code === 'SQLITE_FULL';
  return error instanceof Error && isFull(error.cause);
}

function diskFull(cause: unknown): AppError {
  const detail = 'The disk that holds the data folder is full: nothing was changed. Free some space and try again.';
  return new AppError('not_ready', { detail }, { cause });
}
