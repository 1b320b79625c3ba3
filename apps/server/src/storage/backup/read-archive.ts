import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';

/** A file of an archive. Its content is read to its end before the next one is asked for. */
export interface ReadMember {
  /** As the archive has it: whatever somebody wrote there. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly content: AsyncIterable<Buffer>;
}

/** It is no archive of ours, or not all of it is there. */
export class DamagedArchive extends Error {}

/**
 * Reads an archive of `writeArchive`, one file after the other, in little memory.
 *
 * @throws DamagedArchive on a truncated or changed one
 */
export async function* readArchive(path: string): AsyncIterable<ReadMember> {
  const members = extract();
  const read = pipeline(createReadStream(path), createGunzip(), members);
  read.catch(() => undefined); // whoever reads the members is told
  try {
    for await (const content of orDamaged(members)) {
      const { name, size, type } = content.header;
      if (type !== 'file' || size === undefined) throw new DamagedArchive('it holds something that is no file');
      yield { name, size, content: orDamaged<Buffer>(content) };
    }
    await read.catch(throwDamaged); // only at the end of what was packed zlib compares its checksum
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

/** What zlib and tar say of a file that is cut off or changed; what the system says is not the archive's fault. */
function throwDamaged(error: unknown): never {
  if (!(error instanceof Error) || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
  throw new DamagedArchive(error.message, { cause: error });
}
