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

/** Places that one process deletes: a command can leave 100 000 pipes, and to start a process for each takes minutes. */
const AT_ONCE = 500;

export function createTrash(folder: string): Trash {
  const waiting: string[] = [];
  let deleting: Promise<void> | null = null;
  const deleteWaiting = async (): Promise<void> => {
    while (waiting.length > 0) {
      // What cannot be deleted now is tried again by the next start's sweep.
      await removeTree(...waiting.splice(0, AT_ONCE)).catch(() => undefined);
    }
    deleting = null;
  };
  const startToDelete = (place: string): void => {
    waiting.push(place);
    deleting ??= deleteWaiting();
  };
  let listed: Promise<void> | null = null;
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
      if (place !== null) startToDelete(place);
      return place !== null;
    },
    async remove(path) {
      const place = await move(path);
      if (place !== null) await removeTree(place);
    },
    sweep() {
      listed = readdir(folder).then(
        (names) => {
          for (const name of names) startToDelete(join(folder, name));
        },
        () => undefined,
      );
    },
    async emptied() {
      await listed;
      await deleting;
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
