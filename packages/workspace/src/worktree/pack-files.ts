import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@sluice/core/error';
import { byteSize } from '../git/byte-size.ts';

interface PackFile {
  readonly name: string;
  readonly bytes: number;
  readonly changedAt: number;
}

/** What adds a large file to the clone at this moment writes to its own unfinished pack all the time. */
const ABANDONED_MS = 10_000;

/** The files in which a clone keeps packed objects, those of an unfinished fetch included. */
export async function listPacks(cache: string): Promise<readonly PackFile[]> {
  const folder = packFolder(cache);
  const names = await readdir(folder).catch((): string[] => []);
  return Promise.all(
    names.map(async (name) => {
      const found = await stat(join(folder, name)).catch(() => null);
      return { name, bytes: found?.size ?? 0, changedAt: found?.mtimeMs ?? 0 };
    }),
  );
}

/**
 * Runs a fetch, which writes one pack, so that the clone stays below a size. What a fetch that failed, or whose process
 * was killed, has written is deleted: git leaves it. Only under the repository's lock, so no other fetch is under way.
 *
 * @param run gets the size that its pack may have
 * @throws AppError `repo_too_large` when the clone has reached its size already, and what `run` throws
 */
export async function intoPacks(
  cache: string,
  cloneBytes: number,
  run: (fileBytes: number) => Promise<unknown>,
): Promise<void> {
  const startedAt = Date.now();
  await removeUnfinished(cache, ({ changedAt }) => changedAt < startedAt - ABANDONED_MS);
  const before = await listPacks(cache);
  const left = cloneBytes - before.reduce((sum, { bytes }) => sum + bytes, 0);
  if (left <= 0) {
    throw new AppError('repo_too_large', {
      detail: `The clone of the repository takes ${byteSize(cloneBytes)} already. The operator can raise REPO_MAX_CLONE_SIZE.`,
    });
  }
  try {
    await run(left);
  } catch (error) {
    const known = new Set(before.map(({ name }) => name));
    await removeUnfinished(cache, ({ name }) => !known.has(name));
    throw error;
  }
}

async function removeUnfinished(cache: string, isLeft: (file: PackFile) => boolean): Promise<void> {
  for (const file of await listPacks(cache)) {
    if (file.name.startsWith('tmp_') && isLeft(file)) await rm(join(packFolder(cache), file.name), { force: true });
  }
}

function packFolder(cache: string): string {
  return join(cache, 'objects', 'pack');
}
