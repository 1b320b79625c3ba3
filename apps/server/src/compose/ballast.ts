import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, statfsSync, statSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setInterval } from 'node:timers/promises';

/** Disk space reserved for the database: a file that is deleted when the disk is full and recreated when it is not. */
export interface Ballast {
  /** Deletes the file if less space is free than its own size. */
  releaseIfFull(): void;
  /** Deletes the file. @returns whether there was one */
  release(): boolean;
  /** Recreates the file until `close`, whenever it is missing and there is enough space. */
  keep(): void;
  close(): Promise<void>;
}

const MIB = 1024 ** 2;
const BALLAST_MIB = 8; // thousands of logins, or the failures of all issues that can run at the same time
const CHECK_MS = 10_000;
/** The file is created only if this many times its size is free; otherwise the space is left to the database. */
const ROOM = 8;

export function openBallast(dataDir: string): Ballast {
  const file = join(dataDir, 'ballast');
  const stop = new AbortController();
  let keeping: Promise<void> | null = null;

  async function keep(): Promise<void> {
    await makeIfRoom(dataDir, file);
    try {
      for await (const _ of setInterval(CHECK_MS, undefined, { signal: stop.signal, ref: false })) {
        await makeIfRoom(dataDir, file);
      }
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    }
  }

  function release(): boolean {
    const isThere = existsSync(file);
    rmSync(file, { force: true });
    return isThere;
  }

  return {
    release,
    releaseIfFull() {
      if (freeBytes(dataDir) < BALLAST_MIB * MIB) release();
    },
    keep() {
      keeping ??= keep();
    },
    async close() {
      stop.abort();
      await keeping;
    },
  };
}

/** Random bytes, because a file system may compress others. */
async function makeIfRoom(dataDir: string, file: string): Promise<void> {
  try {
    // A killed process may have left a partial file.
    const isWhole = statSync(file, { throwIfNoEntry: false })?.size === BALLAST_MIB * MIB;
    if (isWhole || freeBytes(dataDir) < ROOM * BALLAST_MIB * MIB) return;
    await using handle = await open(file, 'w', 0o600);
    for (let written = 0; written < BALLAST_MIB; written += 1) await handle.write(randomBytes(MIB));
    await handle.sync();
  } catch {
    // The space was used meanwhile, or the folder is gone. The service continues without ballast until the next check.
    await rm(file, { force: true }).catch(() => undefined);
  }
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
