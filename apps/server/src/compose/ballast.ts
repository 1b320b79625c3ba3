import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, statfsSync, statSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setInterval } from 'node:timers/promises';

/** Space that is kept for the database: a file that goes when the disk is full, and is made again when it is not. */
export interface Ballast {
  /** Deletes the file when less is free than it takes. */
  releaseIfFull(): void;
  /** Deletes the file. @returns whether there was one */
  release(): boolean;
  /** Makes the file now and again until `close`, whenever it is absent and space allows. */
  keep(): void;
  close(): Promise<void>;
}

const MIB = 1024 ** 2;
const BALLAST_MIB = 8; // thousands of logins, or the failures of all issues that can run at a time
const LOOK_MS = 10_000;
/** As many times its size must be free: what little is left is the database's. */
const ROOM = 8;

export function openBallast(dataDir: string): Ballast {
  const file = join(dataDir, 'ballast');
  const stop = new AbortController();
  let keeping: Promise<void> | null = null;

  async function keep(): Promise<void> {
    await makeIfRoom(dataDir, file);
    try {
      for await (const _ of setInterval(LOOK_MS, undefined, { signal: stop.signal, ref: false })) {
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

/** Random bytes, because a file system may store others in less space than they have. */
async function makeIfRoom(dataDir: string, file: string): Promise<void> {
  try {
    // A process that was killed may have left a part of it.
    const isWhole = statSync(file, { throwIfNoEntry: false })?.size === BALLAST_MIB * MIB;
    if (isWhole || freeBytes(dataDir) < ROOM * BALLAST_MIB * MIB) return;
    await using handle = await open(file, 'w', 0o600);
    for (let written = 0; written < BALLAST_MIB; written += 1) await handle.write(randomBytes(MIB));
    await handle.sync();
  } catch {
    // The space was taken meanwhile, or the folder is gone. The service goes on without a ballast until the next look.
    await rm(file, { force: true }).catch(() => undefined);
  }
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
