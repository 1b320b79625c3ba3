import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';

const ENTRIES_AT_ONCE = 64;
const ENTRIES_PER_READ = 1_024;

/**
 * Reads a folder some entries at a time. A command can make a million in one folder, and a list of all of them would hold
 * up the event loop for seconds. Names are bytes: not all of them are UTF-8.
 */
export async function* readFolder(path: string | Buffer): AsyncGenerator<readonly Dirent<Buffer>[], void> {
  const options = { encoding: 'buffer' as BufferEncoding, bufferSize: ENTRIES_PER_READ };
  // The types of `opendir` do not know that names can be buffers.
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
