import type { Readable } from 'node:stream';
import { AppError } from '@sluice/core/error';
import type { Git } from '../git/git.ts';
import { readEntries } from './read-entries.ts';
import { bytesOf } from './tree-place.ts';

/** Larger blobs are left out: no source file is that large, and each is held in memory. */
export const MAX_BLOB_BYTES = 8 * 1024 * 1024;

export interface BlobEntry {
  readonly path: string;
  readonly blob: string;
  readonly bytes: number;
}

export interface BlobPlace {
  readonly git: Git;
  readonly gitDir: string;
}

/** The regular files of a commit: no links, no nested repositories. */
export async function listBlobs(place: BlobPlace, commit: string, signal: AbortSignal): Promise<readonly BlobEntry[]> {
  const listing = ['ls-tree', '-r', '-z', '-l', '--full-tree', commit];
  const blobs: BlobEntry[] = [];
  for await (const entries of readEntries(place.git, listing, { at: { gitDir: place.gitDir }, signal })) {
    for (const entry of entries) {
      const [, blob, bytes, path] = /^100\d{3} blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(entry) ?? [];
      if (blob === undefined || path === undefined) continue;
      blobs.push({ path: bytesOf(path).toString(), blob, bytes: Number(bytes) });
    }
  }
  return blobs;
}

/** The content of blobs, in the order asked for, one at a time: nothing is read ahead of who consumes it. */
export async function* readBlobs(
  place: BlobPlace,
  blobs: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<{ blob: string; content: Buffer }> {
  const bad = blobs.find((blob) => !/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(blob));
  if (bad !== undefined)
    throw new AppError('git_failed', { detail: 'A blob was asked for by an id that is not valid.' });
  if (blobs.length === 0) return;
  const stream = place.git.stream(['cat-file', '--batch', '--buffer'], {
    at: { gitDir: place.gitDir },
    input: `${blobs.join('\n')}\n`,
    timeoutMs: 600_000,
    signal,
  });
  try {
    const reader = byteReader(stream.stdout);
    for (const blob of blobs) {
      const header = await reader.line();
      const [, type, size] = header?.split(' ') ?? [];
      if (type !== 'blob') break;
      const content = await reader.take(Number(size), Number(size) <= MAX_BLOB_BYTES);
      await reader.take(1, false);
      if (content !== null) yield { blob, content };
    }
    await stream.done;
  } finally {
    stream.stop();
  }
}

interface ByteReader {
  /** Up to the next line feed; null at the end. */
  line(): Promise<string | null>;
  /** So many bytes; null when they are not kept, or when the stream ends before. */
  take(bytes: number, keep: boolean): Promise<Buffer | null>;
}

function byteReader(stream: Readable): ByteReader {
  const chunks = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  const more = async (): Promise<boolean> => {
    const { done, value } = await chunks.next();
    if (done === true) return false;
    rest = rest.length === 0 ? value : Buffer.concat([rest, value]);
    return true;
  };
  return {
    async line() {
      let end = rest.indexOf(10);
      while (end === -1) {
        if (!(await more())) return null;
        end = rest.indexOf(10);
      }
      const line = rest.subarray(0, end).toString('utf8');
      rest = rest.subarray(end + 1);
      return line;
    },
    async take(bytes, keep) {
      const kept: Buffer[] = [];
      let missing = bytes;
      while (missing > 0) {
        if (rest.length === 0 && !(await more())) return null;
        const part = rest.subarray(0, missing);
        rest = rest.subarray(part.length);
        missing -= part.length;
        if (keep) kept.push(part);
      }
      return keep ? Buffer.concat(kept, bytes) : null;
    },
  };
}
