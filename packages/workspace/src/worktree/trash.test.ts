import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTrash } from './trash.ts';

async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-trash-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('deletes all that is taken, also what comes while it deletes', async () => {
  const root = await scratchFolder();
  const trash = createTrash(join(root, 'trash'));
  const names = Array.from({ length: 50 }, (_, at) => `${at}`);
  for (const name of names) {
    await writeFile(join(root, name), '');
    expect(await trash.take(join(root, name))).toBe(true);
  }
  expect(await trash.take(join(root, 'absent'))).toBe(false);
  await trash.emptied();
  expect(await readdir(join(root, 'trash'))).toEqual([]);
  expect(await readdir(root)).toEqual(['trash']);
});

test('deletes what an earlier process left', async () => {
  const root = await scratchFolder();
  await mkdir(join(root, 'trash/tree/folder'), { recursive: true });
  const trash = createTrash(join(root, 'trash'));
  trash.sweep();
  await trash.emptied();
  expect(await readdir(join(root, 'trash'))).toEqual([]);
});
