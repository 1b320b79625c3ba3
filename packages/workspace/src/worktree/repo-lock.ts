import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@sluice/core';
import Database from 'better-sqlite3';

/*
 * One mutation of a cache at a time: `git worktree add` twice at once fails a quarter of the time ("failed to read
 * worktrees/…/commondir"). Two services may share a folder, so a promise chain is not enough. The lock is SQLite's
 * own on an empty database file: the kernel lets go of it when its holder dies, however it dies, so no lock is ever
 * stale and none is taken from a living holder, which a file with a process id in it cannot promise.
 */

const WAIT_MS = 900_000; // longer than a clone may take
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 200;
const DISK_FULL =
  'The disk that holds the working trees is full, so a repository could not be locked. Ask the operator to free some space, or for a larger disk (WORKSPACES_DIR).';

/** Runs `work` while nobody else, in this process or another, holds the lock of that name. First come, first served. */
export type RepoLock = <T>(name: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** @param folder where the lock files lie; it must exist when a lock is taken */
export function createRepoLock(folder: string): RepoLock {
  const acquire = createQueue(folder);
  return async (name, signal, work) => {
    const release = await acquire(name, signal);
    try {
      return await work();
    } finally {
      release();
    }
  };
}

function createQueue(folder: string): (name: string, signal: AbortSignal) => Promise<() => void> {
  const tails = new Map<string, Promise<void>>();
  return async (name, signal) => {
    const before = tails.get(name) ?? Promise.resolve();
    let leave = (): void => undefined;
    const mine = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const tail = before.then(() => mine);
    tails.set(name, tail);
    const done = (): void => {
      leave();
      if (tails.get(name) === tail) tails.delete(name);
    };
    try {
      await orAborted(before, signal);
      const release = await lockFile(join(folder, `${name}.lock`), signal);
      return () => {
        release();
        done();
      };
    } catch (error) {
      done();
      throw error;
    }
  };
}

async function lockFile(path: string, signal: AbortSignal): Promise<() => void> {
  const database = new Database(path, { timeout: 0 });
  const deadline = Date.now() + WAIT_MS;
  try {
    for (let pause = FIRST_PAUSE_MS; !tryLock(database); pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      if (Date.now() > deadline) {
        throw new AppError('git_failed', {
          detail: 'Another process holds the clone of this repository for too long.',
        });
      }
      await sleep(pause, undefined, { signal }).catch(() => signal.throwIfAborted());
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

async function orAborted(wait: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    await Promise.race([wait, aborted]);
  } finally {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
  }
}
