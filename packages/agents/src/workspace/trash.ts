import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const REMOVAL_MS = 600_000;

/** Takes things out of the way at once and deletes them behind the scenes: a large tree takes a quarter of a minute. */
export interface Trash {
  /** Moves a file or folder here (milliseconds) and starts to delete it. @returns whether there was one */
  take(path: string | Buffer): Promise<boolean>;
  /** Starts to delete what an earlier process left. */
  sweep(): void;
  /** Resolves when everything taken so far has been deleted. */
  emptied(): Promise<void>;
}

export function createTrash(folder: string): Trash {
  const deletions = new Set<Promise<void>>();
  const start = (work: Promise<void>): void => {
    // What cannot be deleted now is tried again by the next start's sweep.
    const settled = work.catch(() => undefined).finally(() => deletions.delete(settled));
    deletions.add(settled);
  };
  return {
    async take(path) {
      const place = join(folder, randomUUID());
      await mkdir(folder, { recursive: true });
      try {
        await moveAway(path, place);
      } catch (error) {
        if (isAbsent(error)) return false;
        throw error;
      }
      start(removeTree(place));
      return true;
    },
    sweep() {
      const all = async (): Promise<void> => {
        for (const name of await readdir(folder)) await removeTree(join(folder, name));
      };
      start(all());
    },
    async emptied() {
      await Promise.all(deletions);
    },
  };
}

/** Deletes a tree, also one in which a command took away its own right to do so. */
async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    await unlock(path).catch(() => undefined);
    await rm(path, { recursive: true, force: true, maxRetries: 5 }).catch(() => removeStepByStep(path));
  }
}

/** For folders so deep that no path leads there. The system's own program enters one after the other. */
async function removeStepByStep(path: string): Promise<void> {
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };
  await promisify(execFile)('rm', ['-rf', '--', path], { cwd: '/', env, timeout: REMOVAL_MS });
}

/** A folder gets a new parent only if we may write in it, which a command may have changed. */
async function moveAway(path: string | Buffer, place: string): Promise<void> {
  try {
    await rename(path, place);
  } catch (error) {
    if (!isDenied(error)) throw error;
    await chmod(path, 0o700);
    await rename(path, place);
  }
}

/** Opens every folder. What vanishes meanwhile is fine: an earlier deletion may still be at work. */
async function unlock(path: string): Promise<void> {
  try {
    if (!(await lstat(path)).isDirectory()) return;
    await chmod(path, 0o700);
    for (const name of await readdir(path)) await unlock(join(path, name));
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function isDenied(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM');
}
