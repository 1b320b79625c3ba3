import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { committed, never, type WorkspaceScratch, workspaceScratch } from './test/workspace-scratch.ts';

/*
 * Each git is a process, and to start one costs the service more than the rest of a stage. These are the calls of a
 * pipeline; a change that needs more of them has to be worth it.
 */

/** A git that notes each of our calls, but not what git itself starts. */
async function notingGit(folder: string): Promise<{ searchPath: string; taken(): Promise<readonly string[]> }> {
  const log = join(folder, 'calls');
  await mkdir(folder, { recursive: true });
  await writeFile(log, '');
  await writeFile(
    join(folder, 'git'),
    `#!/bin/sh\nfor word; do case $word in -*) ;; *) echo "$word" >> ${log}; break ;; esac; done\nPATH=/usr/local/bin:/usr/bin:/bin exec git "$@"\n`,
    { mode: 0o755 },
  );
  return {
    searchPath: `${folder}:/usr/local/bin:/usr/bin:/bin`,
    async taken() {
      const calls = (await readFile(log, 'utf8')).split('\n').filter((call) => call !== '');
      await writeFile(log, '');
      return calls;
    },
  };
}

async function scratchWithNotes(): Promise<WorkspaceScratch & { taken(): Promise<readonly string[]> }> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-git-'));
  await chmod(folder, 0o755);
  const { searchPath, taken } = await notingGit(folder);
  const it = await workspaceScratch(undefined, { searchPath });
  return {
    ...it,
    taken,
    async [Symbol.asyncDispose]() {
      await it[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

test('puts back a tree that nobody has touched with two commands, and a changed one with one or two more', async () => {
  await using it = await scratchWithNotes();
  const workspace = await it.prepare();
  await workspace.reset(never);
  await it.taken();
  await workspace.reset(never);
  expect(await it.taken()).toEqual(['clean', 'read-tree']);
  await writeFile(join(workspace.root, 'new.txt'), 'new\n');
  await workspace.reset(never);
  expect((await it.taken()).slice(0, 3)).toEqual(['clean', 'read-tree', 'clean']);
});

test('prepares a whole tree again with three commands', async () => {
  await using it = await scratchWithNotes();
  const { baseCommit } = await it.prepare();
  await it.taken();
  await it.prepare({ baseCommit });
  expect(await it.taken()).toEqual(['cat-file', 'ls-files', 'update-index']);
});

test('commits, shows and saves a change with few commands, and looks at the same tree once', async () => {
  await using it = await scratchWithNotes();
  const workspace = await it.prepare();
  await writeFile(join(workspace.root, 'new.txt'), 'new\n');
  await it.taken();
  await workspace.checkpoint(never);
  expect(await it.taken()).toHaveLength(7);
  await workspace.checkpoint(never);
  expect(await it.taken()).toHaveLength(5);
  await workspace.diff(never);
  expect(await it.taken()).toHaveLength(6);
  await committed(workspace);
  expect(await it.taken()).toHaveLength(11);
  await workspace.diff(never);
  expect(await it.taken()).toEqual(['ls-files', 'add', 'write-tree', 'for-each-ref']);
});

test('removes what a .gitignore of the tree had hidden from the first look, whether new or changed', async () => {
  await using it = await workspaceScratch({ 'file.txt': 'a\n', '.gitignore': '*.kept\n' });
  const workspace = await it.prepare();
  const path = (name: string) => join(workspace.root, name);
  await mkdir(path('folder'));
  await writeFile(path('folder/.gitignore'), 'hidden\n');
  await writeFile(path('folder/hidden'), 'x');
  await workspace.reset(never);
  await expect(stat(path('folder'))).rejects.toThrow('ENOENT');

  await writeFile(path('.gitignore'), '*.kept\nhidden\n');
  await writeFile(path('hidden'), 'x');
  await writeFile(path('a.kept'), 'x');
  await workspace.reset(never);
  await expect(stat(path('hidden'))).rejects.toThrow('ENOENT');
  expect(await readFile(path('a.kept'), 'utf8')).toBe('x');
});

test('gives a file that it wrote again to the user of the tree', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  const [file = ''] = await workspace.files.list();
  await rm(join(workspace.root, file));
  await workspace.reset(never);
  expect((await stat(join(workspace.root, file))).uid).toBe((await stat(workspace.root)).uid);
});
