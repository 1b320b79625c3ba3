import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mayMountDisks, mountSmallDisk } from '@sluice/testing';
import { expect, onTestFinished, test } from 'vitest';
import { holdWorkspaces } from './hold-workspaces.ts';

test('lets one process at a time have the folder, and removes nothing while there is room', async () => {
  const folder = mkdtempSync('/tmp/sluice-hold-');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const root = join(folder, 'workspaces');
  mkdirSync(join(root, 'trees/some-tree'), { recursive: true });
  const held = await holdWorkspaces(root);
  await expect(holdWorkspaces(root)).rejects.toMatchObject({ code: 'not_ready' });
  held.release();
  const again = await holdWorkspaces(root);
  expect(again.removed).toEqual([]);
  expect(readdirSync(join(root, 'trees'))).toEqual(['some-tree']);
  again.release();
});

/** A folder of workspaces on a small disk that is full, with these bytes in each of its parts. */
function fullDisk(parts: Readonly<Record<string, number>>): string {
  const disk = mountSmallDisk({ mebibytes: 64, kind: 'ext4' });
  onTestFinished(() => disk[Symbol.dispose]());
  for (const [name, bytes] of Object.entries(parts)) {
    mkdirSync(join(disk.folder, name, 'of-one-issue'), { recursive: true });
    writeFileSync(join(disk.folder, name, 'of-one-issue/file'), Buffer.alloc(bytes));
  }
  const rest = join(disk.folder, 'trash', 'rest');
  mkdirSync(rest, { recursive: true });
  try {
    for (let n = 0; ; n += 1) writeFileSync(join(rest, `${n}`), Buffer.alloc(4_096));
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  }
  return disk.folder;
}

const MIB = 2 ** 20;

test.runIf(mayMountDisks)(
  'frees a full disk of what is on its way out, and leaves the rest where that is enough',
  async () => {
    const root = fullDisk({ trees: MIB, caches: MIB });
    const held = await holdWorkspaces(root);
    held.release();
    expect(held.removed).toEqual(['trash']);
    expect(existsSync(join(root, 'trees/of-one-issue/file'))).toBe(true);
  },
);

test.runIf(mayMountDisks)('frees a full disk of trees, and of clones when that is not enough', async () => {
  const trees = await holdWorkspaces(fullDisk({ trees: 50 * MIB, caches: MIB }));
  trees.release();
  expect(trees.removed).toEqual(['trash', 'unfinished', 'trees']);
  const clones = await holdWorkspaces(fullDisk({ trees: MIB, caches: 50 * MIB }));
  clones.release();
  expect(clones.removed).toEqual(['trash', 'unfinished', 'trees', 'caches']);
});
