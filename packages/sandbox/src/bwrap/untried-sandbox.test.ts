import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { mayMountDisks, mountSmallDisk } from '@sluice/testing';
import { expect, onTestFinished, test } from 'vitest';
import { scratchTree } from '../../test/scratch-tree.ts';
import { createBwrapSandbox } from './bwrap-sandbox.ts';

test.runIf(mayMountDisks)(
  'refuses commands until the sandbox could be checked on a disk that is no longer full',
  async () => {
    const disk = mountSmallDisk({ mebibytes: 64 });
    onTestFinished(() => disk[Symbol.dispose]());
    await using scratch = await scratchTree();
    const root = await scratch.tree('tree');
    const filling = join(disk.folder, 'filling');
    writeFileSync(filling, Buffer.alloc(disk.free() - 2 ** 20));
    const sandbox = createBwrapSandbox({
      readPaths: [],
      path: '/usr/bin:/bin',
      hideRoots: [scratch.data],
      scratchRoot: join(disk.folder, 'probe'),
    });
    expect(await sandbox.probe()).toMatchObject({ usable: false, problem: expect.stringMatching(/nearly full/) });
    await expect(sandbox.run(scratch.command(root, 'true'))).rejects.toMatchObject({ code: 'disk_full' });
    await rm(filling);
    expect(await sandbox.run(scratch.command(root, 'true'))).toMatchObject({ exitCode: 0 });
    expect(await sandbox.probe()).toMatchObject({ usable: true, problem: null });
  },
);
