import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mayMountDisks, mountSmallDisk } from '@sluice/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newIssueId, workspaceScratch, workspacesOptions } from '../../src/worktree/test/workspace-scratch.ts';
import { createWorkspaces } from '../../src/worktree/workspaces.ts';

// Usual way: packages/workspace/src/worktree/workspaces.test.ts

/** Fills what is left with files of this many bytes, until writing fails. */
function fill(folder: string, bytes: number): void {
  const content = Buffer.alloc(bytes);
  try {
    for (let n = 0; ; n += 1) writeFileSync(join(folder, `f${n}`), content);
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  }
}

describe.runIf(mayMountDisks)('working trees on a small disk', () => {
  async function onSmallDisk() {
    const disk = mountSmallDisk({ kind: 'ext4', mebibytes: 64 });
    onTestFinished(() => disk[Symbol.dispose]());
    const it = await workspaceScratch();
    onTestFinished(() => it[Symbol.asyncDispose]());
    const root = join(disk.folder, 'workspaces');
    const workspaces = createWorkspaces(workspacesOptions(root));
    onTestFinished(() => workspaces.settled());
    return { disk, root, workspaces, request: it.request };
  }

  test('are deleted, locked folders and all, before a reclaim ends, and the diff of such a tree is refused', async () => {
    const { disk, workspaces, request } = await onSmallDisk();
    const workspace = await workspaces.prepare(request());
    const before = disk.free();
    const deep = join(workspace.root, 'a/b/c');
    mkdirSync(deep, { recursive: true });
    fill(deep, 1 << 20);
    chmodSync(deep, 0o000);
    chmodSync(join(workspace.root, 'a'), 0o000);
    expect(await workspaces.isSpaceLow()).toBe(true);
    await workspaces.reclaim(workspace.issueId);
    expect(disk.free()).toBeGreaterThanOrEqual(before);
    expect(await workspaces.isSpaceLow()).toBe(false);
    expect(existsSync(workspace.root)).toBe(false);
    await expect(workspace.diff(new AbortController().signal)).rejects.toThrow();
    await workspaces.reclaim(workspace.issueId);
    const again = await workspaces.prepare(request());
    expect(again.treeId).not.toBe(workspace.treeId);
  });

  test('make room for themselves when a process died while one of them filled the disk', async () => {
    const { workspaces, request } = await onSmallDisk();
    const workspace = await workspaces.prepare(request());
    fill(workspace.root, 4_096);
    const again = await workspaces.prepare(request());
    expect(again.treeId).not.toBe(workspace.treeId);
    expect(readdirSync(again.root).sort()).toEqual(['.git', 'README.md', 'src']);
  });

  test('are not prepared while something else fills the disk, and are as soon as there is room', async () => {
    const { disk, workspaces, request } = await onSmallDisk();
    await workspaces.list();
    const other = join(disk.folder, 'other');
    mkdirSync(other);
    fill(other, 1 << 20);
    const attempt = workspaces.prepare(request({ issueId: newIssueId() }));
    await expect(attempt).rejects.toMatchObject({ code: 'disk_full', retry: true });
    for (const name of readdirSync(other)) writeFileSync(join(other, name), '');
    await workspaces.prepare(request());
  });
});
