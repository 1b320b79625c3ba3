import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';

/** A file of an archive. Read its content to the end before the next one. */
export interface ReadMember {
  /** The name in the archive: untrusted. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly content: AsyncIterable<Buffer>;
}

/** Not an archive of `writeArchive`, or incomplete. */
export class DamagedArchive extends Error {}

/**
 * Reads an archive of `writeArchive` file by file, as a stream.
 *
 * @throws DamagedArchive when the archive is truncated or was changed
 */
export async function* readArchive(path: string): AsyncIterable<ReadMember> {
  const members = extract();
  const read = pipeline(createReadStream(path), createGunzip(), members);
  read.catch(() => undefined); // the reader of the members gets the error
  try {
    for await (const content of orDamaged(members)) {
      const { name, size, type } = content.header;
      if (type !== 'file' || size === undefined) throw new DamagedArchive('it contains an entry that is not a file');
      yield { name, size, content: orDamaged<Buffer>(content) };
    }
    await read.catch(throwDamaged); // zlib compares the checksum only at the end
  } finally {
    members.destroy();
  }
}

async function* orDamaged<T>(source: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* source;
  } catch (error) {
    throwDamaged(error);
  }
}

/** Errors of zlib and tar mean a damaged archive; errors of system calls are passed on. */
function throwDamaged(error: unknown): never {
  if (!(error instanceof Error) || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
  throw new DamagedArchive(error.message, { cause: error });
}
