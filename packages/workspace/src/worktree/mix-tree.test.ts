import { mkdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Workspace } from '@sluice/core/workspace';
import { expect, test } from 'vitest';
import { committed, never, workspaceScratch } from './test/workspace-scratch.ts';

const FILES = {
  'src/sum.js': 'broken\n',
  'test/sum.test.js': 'old\n',
  'test/gone.test.js': 'gone\n',
  'test/ä ö.txt': 'old\n',
  'test/data': 'text\n',
};

const read = (workspace: Workspace, path: string) => readFile(join(workspace.root, path), 'utf8').catch(() => null);

async function changed(workspace: Workspace) {
  await writeFile(join(workspace.root, 'src/sum.js'), 'fixed\n');
  await writeFile(join(workspace.root, 'test/sum.test.js'), 'new\n');
  await writeFile(join(workspace.root, 'test/ä ö.txt'), 'new\n');
  await rm(join(workspace.root, 'test/gone.test.js'));
  await rm(join(workspace.root, 'test/data'));
  await symlink('sum.test.js', join(workspace.root, 'test/data'));
  await mkdir(join(workspace.root, 'test/more'));
  await writeFile(join(workspace.root, 'test/more/new.test.js'), 'added\n');
  return committed(workspace);
}

const TESTS = ['test/sum.test.js', 'test/gone.test.js', 'test/ä ö.txt', 'test/data', 'test/more/new.test.js'];

test('puts the tests of a change on the base, with links, new files and files that are gone', async () => {
  await using it = await workspaceScratch(FILES);
  const workspace = await it.prepare();
  const head = await changed(workspace);
  await workspace.mix({ commit: workspace.baseCommit, from: head.commit, paths: TESTS }, never);
  expect(await read(workspace, 'src/sum.js')).toBe('broken\n');
  expect(await read(workspace, 'test/sum.test.js')).toBe('new\n');
  expect(await read(workspace, 'test/ä ö.txt')).toBe('new\n');
  expect(await read(workspace, 'test/gone.test.js')).toBeNull();
  expect(await readlink(join(workspace.root, 'test/data'))).toBe('sum.test.js');
  expect(await read(workspace, 'test/more/new.test.js')).toBe('added\n');
});

test('puts the tests of the base on a change, and takes only the paths that it is asked for', async () => {
  await using it = await workspaceScratch(FILES);
  const workspace = await it.prepare();
  const head = await changed(workspace);
  const paths = ['test/sum.test.js', 'test/gone.test.js', 'test/more/new.test.js'];
  await workspace.mix({ commit: head.commit, from: workspace.baseCommit, paths }, never);
  expect(await read(workspace, 'src/sum.js')).toBe('fixed\n');
  expect(await read(workspace, 'test/sum.test.js')).toBe('old\n');
  expect(await read(workspace, 'test/gone.test.js')).toBe('gone\n');
  expect(await read(workspace, 'test/ä ö.txt')).toBe('new\n');
  expect(await read(workspace, 'test/more/new.test.js')).toBeNull();
});

test('leaves nothing of a run behind, and a restore makes the change whole again', async () => {
  await using it = await workspaceScratch(FILES);
  const workspace = await it.prepare();
  const head = await changed(workspace);
  const mixed = { commit: workspace.baseCommit, from: head.commit, paths: TESTS };
  await writeFile(join(workspace.root, 'left.txt'), 'by an earlier run');
  await workspace.mix(mixed, never);
  expect(await read(workspace, 'left.txt')).toBeNull();
  await writeFile(join(workspace.root, 'src/sum.js'), 'a back door');
  await workspace.restore(head, never);
  expect(await workspace.commit({ message: 'change', signal: never })).toMatchObject({ commit: head.commit });
  expect((await workspace.diff(never)).head_commit).toBe(head.commit);
});
