import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@sluice/core';
import { byteSize } from '../git/byte-size.ts';

interface PackFile {
  readonly name: string;
  readonly bytes: number;
}

/** The files in which a clone keeps packed objects, those of an unfinished fetch included. */
export async function listPacks(cache: string): Promise<readonly PackFile[]> {
  const folder = packFolder(cache);
  const names = await readdir(folder).catch((): string[] => []);
  return Promise.all(
    names.map(async (name) => ({ name, bytes: (await stat(join(folder, name)).catch(() => null))?.size ?? 0 })),
  );
}

/**
 * Runs a fetch, which writes one pack, so that the clone stays below a size. What a fetch that failed has written is
 * deleted at once: git leaves it. Only under the repository's lock.
 *
 * @param fetch gets the size that its pack may have
 * @throws AppError `repo_too_large` when the clone has reached its size already, and what `fetch` throws
 */
export async function intoPacks(
  cache: string,
  cloneBytes: number,
  fetch: (fileBytes: number) => Promise<unknown>,
): Promise<void> {
  const before = await listPacks(cache);
  const left = cloneBytes - before.reduce((sum, { bytes }) => sum + bytes, 0);
  if (left <= 0) {
    throw new AppError('repo_too_large', {
      detail: `The clone of the repository takes ${byteSize(cloneBytes)} already. The operator can raise REPO_MAX_CLONE_SIZE.`,
    });
  }
  try {
    await fetch(left);
  } catch (error) {
    const known = new Set(before.map(({ name }) => name));
    for (const { name } of await listPacks(cache)) {
      if (name.startsWith('tmp_') && !known.has(name)) await rm(join(packFolder(cache), name), { force: true });
    }
    throw error;
  }
}

function packFolder(cache: string): string {
  return join(cache, 'objects', 'pack');
}
