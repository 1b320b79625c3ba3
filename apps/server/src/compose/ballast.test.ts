import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mayMountDisks, mountSmallDisk, until } from '@sluice/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openBallast } from './ballast.ts';

describe.runIf(mayMountDisks)('the ballast', () => {
  function onSmallDisk(mebibytes: number) {
    const disk = mountSmallDisk({ mebibytes });
    onTestFinished(() => disk[Symbol.dispose]());
    const file = join(disk.folder, 'ballast');
    const ballast = openBallast(disk.folder);
    onTestFinished(() => ballast.close());
    return { disk, file, ballast };
  }

  it('occupies real disk space until it is released', async () => {
    const { disk, file, ballast } = onSmallDisk(128);
    const free = disk.free();
    ballast.keep();
    await until('the ballast is there', () => existsSync(file) && statSync(file).size === 8 * 2 ** 20);
    expect(disk.free()).toBeLessThanOrEqual(free - 8 * 2 ** 20);
    expect(ballast.release()).toBe(true);
    // The writer may still hold the deleted file open while it is flushed.
    await expect.poll(() => disk.free()).toBe(free);
    expect(ballast.release()).toBe(false);
  });

  it('is released at start only when less space is free than its size', async () => {
    const { disk, file, ballast } = onSmallDisk(128);
    writeFileSync(file, 'ballast');
    ballast.releaseIfFull();
    expect(existsSync(file)).toBe(true);
    writeFileSync(join(disk.folder, 'rest'), Buffer.alloc(disk.free() - 2 ** 20));
    ballast.releaseIfFull();
    expect(existsSync(file)).toBe(false);
  });

  it('is completed after a process was killed while creating it', async () => {
    const { file, ballast } = onSmallDisk(128);
    writeFileSync(file, 'a part');
    ballast.keep();
    await until('the ballast is whole', () => statSync(file).size === 8 * 2 ** 20);
  });

  it('is not created when little space is free', async () => {
    const { file, ballast } = onSmallDisk(32);
    ballast.keep();
    await ballast.close();
    expect(existsSync(file)).toBe(false);
  });
});

it('the ballast does not end the process when its folder is gone', async () => {
  const ballast = openBallast('/absent/folder');
  ballast.keep();
  await expect(ballast.close()).resolves.toBeUndefined();
});
