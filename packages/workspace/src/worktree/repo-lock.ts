import { join } from 'node:path';
import { AppError, backoffMs, createKeyedMutex, sleep } from '@sluice/core';
import Database from 'better-sqlite3';

/*
 * One mutation of a cache at a time: `git worktree add` twice at once fails a quarter of the time ("failed to read
 * worktrees/…/commondir"). Two services may share a folder, so a promise chain is not enough. The lock is SQLite's
 * own on an empty database file: the kernel releases it when its holder dies, so a lock is never stale and never
 * taken from a living holder, which a file with a process id in it cannot guarantee.
 */

const WAIT_MS = 900_000; // longer than a clone may take
const BACKOFF = { firstMs: 5, longestMs: 200 };
const DISK_FULL =
  'The disk that holds the working trees is full, so a repository could not be locked. Ask the operator to free some space, or for a larger disk (WORKSPACES_DIR).';

/** Runs `work` while no other caller, in this process or another, holds the lock of that name. First come, first served. */
export type RepoLock = <T>(name: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** @param folder the folder of the lock files; it must exist when a lock is taken */
export function createRepoLock(folder: string): RepoLock {
  const queue = createKeyedMutex();
  return async (name, signal, work) => {
    signal.throwIfAborted();
    return queue.run(
      name,
      async () => {
        const release = await lockFile(join(folder, `${name}.lock`), signal);
        try {
          return await work();
        } finally {
          release();
        }
      },
      signal,
    );
  };
}

async function lockFile(path: string, signal: AbortSignal): Promise<() => void> {
  const database = new Database(path, { timeout: 0 });
  const deadline = Date.now() + WAIT_MS;
  try {
    for (let attempt = 1; !tryLock(database); attempt += 1) {
      if (Date.now() > deadline) {
        throw new AppError('git_failed', {
          detail: 'Another process has held the lock of this repository for too long.',
        });
      }
      await sleep(backoffMs(attempt, BACKOFF), signal);
    }
  } catch (error) {
    database.close();
    throw error;
  }
  return () => database.close();
}

function tryLock(database: Database.Database): boolean {
  try {
    database.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    if (error.code.startsWith('SQLITE_BUSY')) return false;
    if (error.code === 'SQLITE_FULL') throw new AppError('disk_full', { detail: DISK_FULL }, { cause: error });
    throw error;
  }
}
