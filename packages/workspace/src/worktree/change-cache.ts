import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isPresent } from './is-present.ts';
import type { Trash } from './trash.ts';

/** Stands in the cache while it is being changed; found at the next change, it tells of one that did not end well. */
const BUSY = 'sluice-busy';
const STALE_MS = 3_600_000;

/**
 * Runs a change of the cache, and first cleans up after one that did not end well (its process died, or git was
 * stopped by force): the lock files left would make every later call fail. Only under the repository's lock.
 */
export async function changeCache<T>(cache: string, trash: Trash, work: () => Promise<T>): Promise<T> {
  const busy = join(cache, BUSY);
  if (await isPresent(busy)) await cleanUp(cache, trash);
  await writeFile(busy, '');
  const result = await work();
  await rm(busy, { force: true });
  return result;
}

async function cleanUp(cache: string, trash: Trash): Promise<void> {
  const entries = await readdir(cache, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const inTree = entry.parentPath.startsWith(join(cache, 'worktrees'));
    const path = join(entry.parentPath, entry.name);
    const left =
      (entry.isFile() && entry.name.endsWith('.lock')) || (entry.name.startsWith('tmp_') && (await isOld(path)));
    if (left && !inTree) await rm(path, { recursive: true, force: true });
  }
  // An entry that was being added when its process died makes every other `worktree add` fail.
  const worktrees = join(cache, 'worktrees');
  const names = await readdir(worktrees).catch(() => []);
  for (const name of names) {
    if (!(await isWhole(join(worktrees, name)))) await trash.take(join(worktrees, name));
  }
}

/** Another issue may be writing objects at this moment: only objects that nothing can still be writing are removed. */
async function isOld(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => Date.now() - found.mtimeMs > STALE_MS,
    () => false,
  );
}

async function isWhole(entry: string): Promise<boolean> {
  const sizes = await Promise.all(['HEAD', 'commondir', 'gitdir'].map((name) => sizeOf(join(entry, name))));
  return sizes.every((size) => size > 0) && !(await isPresent(join(entry, 'locked')));
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    (found) => found.size,
    () => 0,
  );
}
