import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { readTarHeader, TAR_BLOCK, type TarMember } from './tar-header.ts';

/** A file of an archive. Its content is read to its end before the next one is asked for. */
export interface ReadMember extends TarMember {
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
  const file = createReadStream(path);
  const unpacked = createGunzip();
  file.on('error', (error) => unpacked.destroy(error));
  const bytes = createByteReader(file.pipe(unpacked));
  try {
    for (;;) {
      const block = await bytes.exactly(TAR_BLOCK);
      if (block.every((byte) => byte === 0)) break;
      const member = readTarHeader(block);
      if (member === null) throw new DamagedArchive('a header is none');
      yield { ...member, content: bytes.next(member.size) };
      await bytes.exactly((TAR_BLOCK - (member.size % TAR_BLOCK)) % TAR_BLOCK);
    }
    await bytes.end();
  } finally {
    file.destroy();
    unpacked.destroy();
  }
}

function createByteReader(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  const read = async (): Promise<IteratorResult<Buffer>> => {
    try {
      return await chunks.next();
    } catch (error) {
      // What zlib says of a file that is cut off or changed; everything else is not the archive's fault.
      const { code = '' } = error as NodeJS.ErrnoException;
      throw code.startsWith('Z_') ? new DamagedArchive(code, { cause: error }) : error;
    }
  };
  const more = async (): Promise<void> => {
    const { done, value } = await read();
    if (done === true) throw new DamagedArchive('it ends too early');
    rest = value;
  };
  async function* next(size: number): AsyncIterable<Buffer> {
    for (let left = size; left > 0; ) {
      if (rest.length === 0) await more();
      const part = rest.subarray(0, left);
      rest = rest.subarray(part.length);
      left -= part.length;
      if (part.length > 0) yield part;
    }
  }
  return {
    next,
    exactly: async (size: number): Promise<Buffer> => {
      const parts: Buffer[] = [];
      for await (const part of next(size)) parts.push(part);
      return Buffer.concat(parts);
    },
    /** To the end of what was packed: only there zlib compares its checksum. */
    end: async (): Promise<void> => {
      while ((await read()).done !== true);
    },
  };
}
