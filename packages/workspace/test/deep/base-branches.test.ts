import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { plainGit } from '../../src/git/test/scratch.ts';
import { forcePush, later, since } from '../../src/worktree/test/base-branches-scene.ts';
import { workspaceScratch, workspacesOptions } from '../../src/worktree/test/workspace-scratch.ts';
import { createWorkspaces } from '../../src/worktree/workspaces.ts';

// Usual way: packages/workspace/src/worktree/base-branches.test.ts

test('makes a clone that is not there yet', async () => {
  await using it = await workspaceScratch();
  const baseCommit = await plainGit(it.origin, 'rev-parse', 'HEAD');
  const tip = await later(it, { 'src/add.js': 'theirs\n' });
  expect(await since(it, baseCommit)).toEqual({ tip, changed: ['src/add.js'] });
  expect(await it.workspaces.clones()).toEqual([it.request().repo.repoId]);
});

test('prepares on another host from a base that was force-pushed away', async () => {
  await using it = await workspaceScratch();
  const { baseCommit } = await it.prepare();
  await forcePush(it);
  const there = await createWorkspaces(workspacesOptions(it.scratch.join('there'))).prepare(it.request({ baseCommit }));
  expect(await there.files.read('src/add.js')).toBe('export const add = (a, b) => a - b;\n');
});

test('says that the remote is gone, with and without a clone', async () => {
  await using it = await workspaceScratch();
  const { baseCommit } = await it.prepare();
  await rm(it.origin, { recursive: true });
  await expect(since(it, baseCommit)).rejects.toMatchObject({ code: 'remote_not_found' });
  await expect(since(it, baseCommit, { root: it.scratch.join('fresh') })).rejects.toMatchObject({
    code: 'remote_not_found',
  });
});
