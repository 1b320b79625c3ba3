import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from './remove-tree.ts';

/** Takes things out of the way at once and deletes them behind the scenes: a large tree takes a quarter of a minute. */
export interface Trash {
  /** Moves a file or folder here (milliseconds) and starts to delete it. @returns whether there was one */
  take(path: string | Buffer): Promise<boolean>;
  /** Moves a file or folder here and waits until it is deleted, and its space is free. */
  remove(path: string): Promise<void>;
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
  /** @returns where it is now, or null when there was nothing */
  const move = async (path: string | Buffer): Promise<string | null> => {
    const place = join(folder, randomUUID());
    await mkdir(folder, { recursive: true });
    try {
      await moveAway(path, place);
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
    return place;
  };
  return {
    async take(path) {
      const place = await move(path);
      if (place !== null) start(removeTree(place));
      return place !== null;
    },
    async remove(path) {
      const place = await move(path);
      if (place !== null) await removeTree(place);
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

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function isDenied(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM');
}
