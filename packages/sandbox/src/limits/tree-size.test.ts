import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readFolder, treeSize } from './tree-size.ts';

const { signal } = new AbortController();

async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp('/tmp/sluice-size-');
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('counts files with names that are not UTF-8', async () => {
  const root = await scratchFolder();
  const folder = Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff])]);
  await mkdir(folder);
  await writeFile(Buffer.concat([folder, Buffer.from([0x2f, 0xfe])]), Buffer.alloc(2 ** 20));
  const { bytes, complete } = await treeSize(root, { signal });
  expect(complete).toBe(true);
  expect(bytes).toBeGreaterThanOrEqual(2 ** 20);
});

test('reads a large folder in batches', async () => {
  const root = await scratchFolder();
  const names = Array.from({ length: 300 }, (_, at) => `${at}`);
  await Promise.all(names.map((name) => writeFile(join(root, name), '')));
  const found: string[] = [];
  for await (const entries of readFolder(root)) {
    expect(entries.length).toBeLessThan(100);
    found.push(...entries.map(({ name }) => name.toString()));
  }
  expect(found.sort()).toEqual(names.sort());
});
