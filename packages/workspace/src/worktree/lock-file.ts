import { backoffMs, sleep } from '@sluice/core/async';
import type { AppError } from '@sluice/core/error';
import Database from 'better-sqlite3';

const BACKOFF = { firstMs: 5, longestMs: 200 };

/**
 * Locks a file, also against other processes. The lock is SQLite's own on an empty database file: the kernel releases it when
 * its holder dies, so a lock is never stale and never taken from a living holder, which a file with a process id in it cannot
 * guarantee. It lasts as long as its release function is referenced. Nothing else in this process may open the file: POSIX ends
 * all locks of a process on a file when it closes any descriptor of it, and only SQLite takes care of its own.
 *
 * @param wait.held the error when the lock was not free within `waitMs`
 * @returns a function that releases it
 * @throws `wait.held`; the signal's reason
 */
export async function lockFile(
  path: string,
  wait: { readonly waitMs: number; readonly held: () => AppError; readonly signal: AbortSignal },
): Promise<() => void> {
  const database = new Database(path, { timeout: 0 });
  const deadline = Date.now() + wait.waitMs;
  try {
    for (let attempt = 1; !tryLock(database); attempt += 1) {
      if (Date.now() > deadline) throw wait.held();
      await sleep(backoffMs(attempt, BACKOFF), wait.signal);
    }
  } catch (error) {
    database.close();
    throw error;
  }
  return () => database.close();
}

function tryLock(database: Database.Database): boolean {
  try {
    // Without a journal file, which would need room on a disk that may be full, and stay behind when the lock file is deleted.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return false;
    throw error;
  }
}
