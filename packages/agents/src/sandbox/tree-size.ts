import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** An empty file costs the disk too: an inode and a name. */
export const bytesOfAnEntry = 4_096;
const entriesAtOnce = 64;

export interface TreeSize {
  readonly bytes: number;
  /** False when a folder would not be read (no permission, too deep), so more may lie there. */
  readonly complete: boolean;
}

interface SizeQuery {
  readonly signal: AbortSignal;
  /** Leaves out what was changed since, in milliseconds: nobody can set a ctime back. */
  readonly changedBefore?: number;
  /** Ends the walk as soon as there are more bytes than this. */
  readonly stopAbove?: number;
}

/** Bytes that a folder takes on its disk, links counted once and other file systems left out. */
export async function treeSize(root: string, { signal, changedBefore, stopAbove }: SizeQuery): Promise<TreeSize> {
  const linked = new Set<number>();
  const device = (await lstat(root)).dev;
  const folders = [root];
  let bytes = 0;
  let complete = true;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    signal.throwIfAborted();
    const here = folder;
    const names = await readdir(here).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') complete = false;
      return [];
    });
    for (let i = 0; i < names.length; i += entriesAtOnce) {
      signal.throwIfAborted();
      if (stopAbove !== undefined && bytes > stopAbove) return { bytes, complete };
      const batch = names.slice(i, i + entriesAtOnce);
      for (const [at, entry] of (
        await Promise.all(batch.map((name) => lstat(join(here, name)).catch(() => null)))
      ).entries()) {
        if (entry === null || entry.dev !== device) continue;
        if (entry.isDirectory()) folders.push(join(here, batch[at] ?? ''));
        if (changedBefore !== undefined && entry.ctimeMs >= changedBefore) continue;
        if (entry.nlink > 1 && !entry.isDirectory()) {
          if (linked.has(entry.ino)) continue;
          linked.add(entry.ino);
        }
        bytes += bytesOfAnEntry + entry.blocks * 512;
      }
    }
  }
  return { bytes, complete };
}
