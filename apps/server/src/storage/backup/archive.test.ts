import { createWriteStream, mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Headers, pack } from 'tar-stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeArchive } from './back-up.ts';
import { DamagedArchive, readArchive } from './restore-backup.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-archive-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const MANY = Array.from({ length: 40 }, (_none, index) => Buffer.alloc(50_001, index));

async function contentsOf(file: string): Promise<[name: string, content: Buffer][]> {
  const members: [string, Buffer][] = [];
  for await (const { name, content } of readArchive(file)) {
    const chunks: Buffer[] = [];
    for await (const chunk of content) chunks.push(chunk);
    members.push([name, Buffer.concat(chunks)]);
  }
  return members;
}

it('reads back every written file, including an empty one', async () => {
  const file = join(folder, 'whole');
  await writeArchive(file, [
    { name: 'empty', size: 0, content: [] },
    { name: 'long', size: 40 * 50_001, content: MANY },
    { name: 'short', size: 3, content: [Buffer.from('abc')] },
  ]);
  expect(await contentsOf(file)).toEqual([
    ['empty', Buffer.alloc(0)],
    ['long', Buffer.concat(MANY)],
    ['short', Buffer.from('abc')],
  ]);
});

it.each([
  ['grown', 2],
  ['shrunk', 4],
])('fails when a file has %s during the backup', async (what, size) => {
  const writing = writeArchive(join(folder, what), [
    { name: 'first', size, content: [Buffer.from('abc')] },
    { name: 'second', size: 3, content: [Buffer.from('abc')] },
  ]);
  await expect(writing).rejects.toThrow(/size/i);
});

it('fails with the error of the content or of the disk', async () => {
  const content = (async function* () {
    yield Buffer.from('a');
    throw new Error('the disk is gone');
  })();
  const broken = writeArchive(join(folder, 'broken'), [{ name: 'a', size: 2, content }]);
  await expect(broken).rejects.toThrow('the disk is gone');
  const nowhere = writeArchive(join(folder, 'no', 'where'), [{ name: 'long', size: 40 * 50_001, content: MANY }]);
  await expect(nowhere).rejects.toThrow(/ENOENT/);
  await expect(contentsOf(join(folder, 'not there'))).rejects.toThrow(/ENOENT/);
});

it('reports a truncated archive to its reader', async () => {
  const file = join(folder, 'cut');
  await writeArchive(file, [{ name: 'long', size: 40 * 50_001, content: MANY }]);
  truncateSync(file, 2_000);
  await expect(contentsOf(file)).rejects.toThrow(DamagedArchive);
});

it.each<Partial<Headers>>([
  { type: 'symlink', linkname: '/etc/passwd' },
  { type: 'link', linkname: 'other' },
  { type: 'directory' },
  { type: 'character-device' },
])('refuses an entry that is not a file: $type', async (header) => {
  const file = join(folder, String(header.type));
  const archive = pack();
  archive.entry({ name: 'sluice.db', ...header });
  archive.finalize();
  await pipeline(archive, createGzip(), createWriteStream(file));
  await expect(contentsOf(file)).rejects.toThrow(DamagedArchive);
});
