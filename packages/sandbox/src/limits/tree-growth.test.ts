import { mkdir, mkdtemp, open, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mayMountDisks, mountSmallDisk } from '@sluice/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { watchTreeGrowth } from './tree-growth.ts';

let base: string;
beforeAll(async () => {
  base = await mkdtemp('/tmp/sluice-growth-');
});
afterAll(() => rm(base, { recursive: true, force: true }));

test('causes no unhandled rejection when the tree is removed before the first poll', async () => {
  const thrown: unknown[] = [];
  const take = (error: unknown) => thrown.push(error);
  process.on('unhandledRejection', take);
  onTestFinished(() => {
    process.off('unhandledRejection', take);
  });
  const growth = watchTreeGrowth(join(base, 'absent'), 1_000);
  await expect(growth.exceeded(process.pid)).rejects.toMatchObject({ code: 'ENOENT' });
  watchTreeGrowth(join(base, 'absent'), 1_000).stop();
  // The second failure comes later than the first, which is asserted again here.
  await expect(watchTreeGrowth(join(base, 'absent'), 1_000).exceeded(process.pid)).rejects.toThrow();
  await new Promise(setImmediate);
  expect(thrown).toEqual([]);
});

const MIB = 2 ** 20;

/** A tree on its own file system, and a command that is watched in it. */
async function watchedTree(disk: { mebibytes: number; entries?: number }) {
  const small = mountSmallDisk(disk);
  onTestFinished(() => small[Symbol.dispose]());
  const tree = join(small.folder, 'tree');
  await mkdir(tree);
  const growth = watchTreeGrowth(tree, 2 ** 40);
  onTestFinished(() => growth.stop());
  expect(await growth.exceeded(process.pid)).toBe(false);
  return { growth, tree, folder: small.folder };
}

describe.runIf(mayMountDisks)('on a small file system', () => {
  test('ends a command that takes the last inodes, long before the last bytes', async () => {
    const { growth, tree } = await watchedTree({ mebibytes: 64, entries: 12_000 });
    for (let i = 0; i < 11_900; i += 100)
      await Promise.all(Array.from({ length: 100 }, (_, n) => writeFile(join(tree, `${i + n}`), '')));
    expect(await growth.exceeded(process.pid)).toBe(true);
    await expect(growth.refuse('disk')).rejects.toMatchObject({
      code: 'disk_limit',
      message: expect.stringContaining('entries (inodes)'),
    });
  });

  test('blames the command whose own tree took the space', async () => {
    const { growth, tree } = await watchedTree({ mebibytes: 64 });
    await writeFile(join(tree, 'large'), Buffer.alloc(62 * MIB));
    expect(await growth.exceeded(process.pid)).toBe(true);
    await expect(growth.refuse('disk')).rejects.toMatchObject({
      code: 'disk_limit',
      message: expect.stringMatching(/2 MiB of 64 MiB are left/),
    });
  });

  test('ends a command that did not fill the disk with a retryable error', async () => {
    const { growth, folder } = await watchedTree({ mebibytes: 64 });
    await writeFile(join(folder, 'of-somebody-else'), Buffer.alloc(62 * MIB));
    expect(await growth.exceeded(process.pid)).toBe(true);
    await expect(growth.refuse('disk')).rejects.toMatchObject({ code: 'disk_full', retry: true });
  });

  test('counts deleted files, which are freed when the command is dead', async () => {
    const { growth, tree } = await watchedTree({ mebibytes: 64 });
    const path = join(tree, 'unlinked');
    const file = await open(path, 'w');
    await unlink(path);
    await file.write(Buffer.alloc(62 * MIB));
    expect(await growth.exceeded(process.pid)).toBe(true);
    await file.close();
    await expect(growth.refuse('disk')).rejects.toMatchObject({ code: 'disk_limit' });
  });

  test('refuses a command that filled the disk and ended by itself between two polls', async () => {
    const { growth, tree } = await watchedTree({ mebibytes: 64 });
    expect(await growth.refuse('exit')).toBe('exit');
    await writeFile(join(tree, 'large'), Buffer.alloc(62 * MIB));
    await expect(growth.refuse('exit')).rejects.toMatchObject({ code: 'disk_limit' });
  });
});
