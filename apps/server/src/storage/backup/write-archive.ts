import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Pack, pack } from 'tar-stream';

export interface ArchiveMember {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/**
 * Writes a new `.tar.gz` (mode 0600, as its members) and flushes it to disk.
 *
 * @throws Error also if a member's content does not have its declared size
 */
export async function writeArchive(path: string, members: readonly ArchiveMember[]): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  const archive = pack();
  const written = pipeline(archive, createGzip(), file);
  await Promise.all([written, fill(archive, members)]);
}

async function fill(archive: Pack, members: readonly ArchiveMember[]): Promise<void> {
  const mtime = new Date();
  try {
    for (const { name, size, content } of members) {
      await pipeline(Readable.from(content, { objectMode: false }), archive.entry({ name, size, mode: 0o600, mtime }));
    }
    archive.finalize();
  } catch (error) {
    archive.destroy(error as Error);
    throw error;
  }
}
