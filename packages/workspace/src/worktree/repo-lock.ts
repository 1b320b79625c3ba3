import { join } from 'node:path';
import { createKeyedMutex } from '@sluice/core/async';
import { AppError } from '@sluice/core/error';
import { lockFile } from './lock-file.ts';

/*
 * One mutation of a cache at a time: `git worktree add` twice at once fails a quarter of the time ("failed to read
 * worktrees/…/commondir"). Two services may share a folder, so a promise chain is not enough.
 */

const WAIT_MS = 900_000; // longer than a clone may take
const HELD = 'Another process has held the lock of this repository for too long.';
const heldError = () => new AppError('git_failed', { detail: HELD });

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
        const release = await lockFile(join(folder, `${name}.lock`), { waitMs: WAIT_MS, held: heldError, signal });
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
