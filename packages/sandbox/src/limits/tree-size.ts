import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';

/** Even an empty file takes disk space: an inode and a name. */
export const bytesOfAnEntry = 4_096;
const SLASH = Buffer.from('/');

export interface TreeSize {
  readonly bytes: number;
  /** False when a folder could not be read (no permission, too deep), so there may be more. */
  readonly complete: boolean;
}

interface SizeQuery {
  readonly signal: AbortSignal;
  /** Leaves out entries changed since then, in milliseconds. A ctime cannot be set back. */
  readonly changedBefore?: number;
  /** Stops the walk once there are more bytes than this. */
  readonly stopAbove?: number;
}

/** The bytes that a folder takes on its disk. Hard links count once, and other file systems are left out. */
export async function treeSize(root: string, { signal, changedBefore, stopAbove }: SizeQuery): Promise<TreeSize> {
  const linked = new Set<number>();
  const device = (await lstat(root)).dev;
  const folders = [Buffer.from(root)];
  let bytes = 0;
  let complete = true;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    signal.throwIfAborted();
    try {
      for await (const entries of readFolder(folder)) {
        signal.throwIfAborted();
        if (stopAbove !== undefined && bytes > stopAbove) return { bytes, complete };
        const places = entries.map(({ name }) => Buffer.concat([folder, SLASH, name]));
        const found = await Promise.all(places.map((place) => lstat(place).catch(() => null)));
        for (const [at, entry] of found.entries()) {
          if (entry === null || entry.dev !== device) continue;
          if (entry.isDirectory()) folders.push(places[at] ?? folder);
          if (changedBefore !== undefined && entry.ctimeMs >= changedBefore) continue;
          if (entry.nlink > 1 && !entry.isDirectory()) {
            if (linked.has(entry.ino)) continue;
            linked.add(entry.ino);
          }
          bytes += bytesOfAnEntry + entry.blocks * 512;
        }
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!isGone(error)) complete = false;
    }
  }
  return { bytes, complete };
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

const ENTRIES_AT_ONCE = 64;
const ENTRIES_PER_READ = 1_024;

/**
 * Reads a folder in batches. A command can create a million entries in one folder, and listing all of them at once would
 * block the event loop for seconds. Names are bytes, because not all of them are UTF-8.
 */
export async function* readFolder(path: string | Buffer): AsyncGenerator<readonly Dirent<Buffer>[], void> {
  const options = { encoding: 'buffer' as BufferEncoding, bufferSize: ENTRIES_PER_READ };
  // The types of `opendir` do not allow names as buffers.
  const folder = (await opendir(path as string, options)) as unknown as AsyncIterable<Dirent<Buffer>>;
  let entries: Dirent<Buffer>[] = [];
  for await (const entry of folder) {
    entries.push(entry);
    if (entries.length < ENTRIES_AT_ONCE) continue;
    yield entries;
    entries = [];
  }
  yield entries;
}
