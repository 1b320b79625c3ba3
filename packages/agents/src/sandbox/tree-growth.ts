import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { freeSpace, isBelowReserve } from '../free-space/free-space.ts';
import { namelessBytes } from './process-tree.ts';

/** An empty file costs the disk too: an inode and a name. */
const bytesOfAnEntry = 4_096;
const entriesAtOnce = 64;
/** A walk may take this part of the time, so a huge tree is walked seldom rather than always. */
const restFactor = 10;
const shortestRestMs = 1_000;

interface TreeSize {
  readonly bytes: number;
  /** False when a folder would not be read (no permission, too deep), so more may lie there. */
  readonly complete: boolean;
}

export interface TreeGrowth {
  /**
   * Whether the tree has grown by more than the limit, or the disk is down to its reserve, whatever filled it; to be asked
   * every quarter of a second or so.
   */
  exceeded(rootPid: number): Promise<boolean>;
  stop(): void;
}

/**
 * Watches what a command adds to its working tree. Free space is asked often, because that costs nothing, and decides only
 * when a walk is due; the walk decides. Files without a name, which no walk meets, are counted at the processes that hold them.
 */
export function watchTreeGrowth(root: string, limitBytes: number): TreeGrowth {
  const startedAt = Date.now();
  const stop = new AbortController();
  // The walk for the start runs beside the command, so it leaves out what was changed since: nobody can set a ctime back.
  const before = treeSize(root, { signal: stop.signal, changedBefore: startedAt }).catch(() => ({
    bytes: 0,
    complete: false,
  }));
  const freeAtStart = freeSpace(root);
  // A command may end before anybody asks, and a tree may go while it starts.
  freeAtStart.catch(() => undefined);
  let freeAtWalk: number | null = null;
  let nextWalkAt = startedAt + shortestRestMs;

  return {
    async exceeded(rootPid) {
      const [start, free] = await Promise.all([freeAtStart, freeSpace(root)]);
      const fell = start.free - free.free;
      if (isBelowReserve(free)) return true;
      const fellSinceWalk = (freeAtWalk ?? start.free) - free.free;
      if (Date.now() < nextWalkAt && fellSinceWalk < limitBytes / 4) return false;
      const walkedFrom = Date.now();
      const [old, now] = await Promise.all([before, treeSize(root, { signal: stop.signal })]);
      const device = (await lstat(root)).dev;
      const nameless = fell > limitBytes / 2 ? await namelessBytes(rootPid, device) : 0;
      freeAtWalk = free.free;
      nextWalkAt = Date.now() + Math.max(shortestRestMs, (Date.now() - walkedFrom) * restFactor);
      if (!now.complete && fell > limitBytes) return true;
      return now.bytes - old.bytes + nameless > limitBytes;
    },
    stop: () => stop.abort(),
  };
}

/** Bytes that a folder takes on its disk, links counted once and other file systems left out. */
async function treeSize(root: string, options: { signal: AbortSignal; changedBefore?: number }): Promise<TreeSize> {
  const linked = new Set<number>();
  const device = (await lstat(root)).dev;
  const folders = [root];
  let bytes = 0;
  let complete = true;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    options.signal.throwIfAborted();
    const here = folder;
    const names = await readdir(here).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') complete = false;
      return [];
    });
    for (let i = 0; i < names.length; i += entriesAtOnce) {
      options.signal.throwIfAborted();
      const batch = names.slice(i, i + entriesAtOnce);
      for (const [at, entry] of (
        await Promise.all(batch.map((name) => lstat(join(here, name)).catch(() => null)))
      ).entries()) {
        if (entry === null || entry.dev !== device) continue;
        if (entry.isDirectory()) folders.push(join(here, batch[at] ?? ''));
        if (options.changedBefore !== undefined && entry.ctimeMs >= options.changedBefore) continue;
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
