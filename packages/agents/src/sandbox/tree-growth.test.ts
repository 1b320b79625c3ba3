import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { watchTreeGrowth } from './tree-growth.ts';

let base: string;
beforeAll(async () => {
  base = await mkdtemp('/tmp/sluice-growth-');
});
afterAll(() => rm(base, { recursive: true, force: true }));

test('throws at nobody when the tree is gone before it is first looked at', async () => {
  const thrown: unknown[] = [];
  const take = (error: unknown) => thrown.push(error);
  process.on('unhandledRejection', take);
  onTestFinished(() => {
    process.off('unhandledRejection', take);
  });
  const growth = watchTreeGrowth(join(base, 'absent'), 1_000);
  await expect(growth.exceeded(process.pid)).rejects.toMatchObject({ code: 'ENOENT' });
  watchTreeGrowth(join(base, 'absent'), 1_000).stop();
  // The second one's failure comes later than the first one's, which is asked again here.
  await expect(watchTreeGrowth(join(base, 'absent'), 1_000).exceeded(process.pid)).rejects.toThrow();
  await new Promise(setImmediate);
  expect(thrown).toEqual([]);
});

const mayMount = () => {
  if (process.getuid?.() !== 0) return false;
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'x', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

test.runIf(mayMount())('ends what takes the last entries of a file system, long before its bytes', async () => {
  const small = join(base, 'small');
  await mkdir(small);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m,nr_inodes=12000', 'x', small]);
  try {
    const growth = watchTreeGrowth(small, 2 ** 40);
    expect(await growth.exceeded(process.pid)).toBe(false);
    for (let i = 0; i < 11_900; i += 100)
      await Promise.all(Array.from({ length: 100 }, (_, n) => writeFile(join(small, `${i + n}`), '')));
    expect(await growth.exceeded(process.pid)).toBe(true);
    growth.stop();
  } finally {
    execFileSync('umount', [small]);
  }
});
