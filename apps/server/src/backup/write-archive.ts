import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { TAR_BLOCK, type TarMember, tarHeader } from './tar-header.ts';

export interface ArchiveMember extends TarMember {
  readonly content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** Writes a new `.tar.gz` of mode 0600 that is on the disk, whole, when this resolves. */
export async function writeArchive(path: string, members: readonly ArchiveMember[]): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(Readable.from(tar(members), { objectMode: false }), createGzip(), file);
}

async function* tar(members: readonly ArchiveMember[]): AsyncIterable<Uint8Array> {
  const now = new Date();
  for (const member of members) {
    yield tarHeader(member, now);
    let written = 0;
    for await (const chunk of member.content) {
      written += chunk.length;
      yield chunk;
    }
    if (written !== member.size) throw new Error(`${member.name} has changed its size while it was archived.`);
    yield Buffer.alloc((TAR_BLOCK - (written % TAR_BLOCK)) % TAR_BLOCK);
  }
  yield Buffer.alloc(2 * TAR_BLOCK);
}
