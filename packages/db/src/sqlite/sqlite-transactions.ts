import { AsyncLocalStorage } from 'node:async_hooks';
import { statSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '@sluice/core/error';
import Sqlite from 'better-sqlite3';

/** Runs transactions on the one writing connection, one after another in the order in which they were asked for. */
export interface SqliteTransactions {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when the last one has ended; refuses further ones. */
  end(): Promise<void>;
}

/** A transaction that has not run yet. */
interface Waiting {
  /** Runs in the asynchronous context of its caller. May run again. */
  readonly work: () => Promise<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Bounds how long the event loop stands still for one commit. */
const MAX_TOGETHER = 32;

/**
 * better-sqlite3 is synchronous, so the awaits of a transaction are microtasks and it ends within one turn of the event
 * loop. An await of anything else (network, file) lets the loop turn while every other writer waits. Such a transaction
 * is rolled back, so that the first test that runs it fails.
 *
 * Transactions that wait at the same time share one commit, each in a savepoint of its own, because most of a small
 * transaction is the writing and flushing of its pages at the commit. One that fails leaves the others alone. Nobody is
 * answered before the commit. When that fails, or the disk is full, all are undone and each runs again by itself.
 *
 * @param onFull called when the disk is full; if it returns that it freed space, the transaction is retried once
 */
export function createSqliteTransactions(
  writer: Sqlite.Database,
  onFull: () => boolean = () => false,
): SqliteTransactions {
  const isInPlace = writer.memory ? () => true : fileWatch(writer.name);
  const inside = new AsyncLocalStorage<true>();
  const waiting: Waiting[] = [];
  let running: Promise<void> | undefined;
  let ended = false;

  async function transact<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await attempt(work);
    } catch (error) {
      if (!isFull(error) || !onFull()) throw unwritten(error);
    }
    try {
      return await attempt(work);
    } catch (error) {
      throw unwritten(error);
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

  /** @returns an answer for each, to be given now that nothing can change it; null when each is to run by itself */
  async function shareCommit(group: readonly Waiting[]): Promise<readonly (() => void)[] | null> {
    let isBegun = false;
    try {
      return await attempt(async () => {
        isBegun = true;
        const answers: (() => void)[] = [];
        for (const one of group) answers.push(await withinSavepoint(one));
        return answers;
      });
    } catch (error) {
      if (isBegun || isFull(error)) return null; // each that fails by itself says why
      // Such as a lock that another process holds: each by itself would stop the event loop as long as this did.
      return group.map(
        ({ reject }) =>
          () =>
            reject(error),
      );
    }
  }

  async function withinSavepoint({ work, resolve, reject }: Waiting): Promise<() => void> {
    writer.exec('savepoint one');
    try {
      const result = await work();
      writer.exec('release one');
      return () => resolve(result);
    } catch (error) {
      // After some failures, such as one of the disk, SQLite has rolled back everything.
      if (isFull(error) || !writer.inTransaction) throw error;
      writer.exec('rollback to one');
      writer.exec('release one');
      return () => reject(error);
    }
  }

  async function runWaiting(): Promise<void> {
    while (waiting.length > 0) {
      await nextTurn(); // the requests that have arrived meanwhile are read in this turn
      const group = waiting.splice(0, MAX_TOGETHER);
      const answers = group.length > 1 ? await shareCommit(group) : null;
      if (answers !== null) for (const answer of answers) answer();
      else for (const { work, resolve, reject } of group) await transact(work).then(resolve, reject);
    }
    running = undefined;
  }

  return {
    run: async <T>(work: () => Promise<T>) => {
      if (ended) throw new Error('The database is closed.');
      // It would wait for itself.
      if (inside.getStore()) throw new Error('A transaction was begun inside another one: pass its `db` on instead.');
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      waiting.push({
        work: AsyncLocalStorage.bind(() => inside.run(true, work)),
        resolve: resolve as Waiting['resolve'],
        reject,
      });
      running ??= runWaiting();
      return await promise;
    },
    end: async () => {
      ended = true;
      await running;
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

/** Whether another process, such as a command of the operator, holds the lock for writing. */
export function isHeldByOther(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));
}

/** Whether the disk does not take what was written. */
export function isUnwritable(error: unknown): boolean {
  return /^SQLITE_(FULL|READONLY|IOERR)/.test(codeOf(error));
}

function isFull(error: unknown): boolean {
  return codeOf(error) === 'SQLITE_FULL';
}

/** A query's failure comes wrapped by drizzle, a commit's as it is. */
function codeOf(error: unknown): string {
  if (error instanceof Sqlite.SqliteError) return error.code;
  return error instanceof Error ? codeOf(error.cause) : '';
}

/** The error of a write that the disk did not take; any other as it is. */
function unwritten(error: unknown): unknown {
  if (!isUnwritable(error)) return error;
  const detail = isFull(error)
    ? 'The disk that holds the data folder is full: nothing was changed. Free some space and try again.'
    : 'The disk that holds the data folder takes no changes, because it is read-only or fails: nothing was changed.';
  return new AppError('not_ready', { detail }, { cause: error });
}
