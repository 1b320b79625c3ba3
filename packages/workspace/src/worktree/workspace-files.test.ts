import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { WorkspaceFiles } from '@sluice/core/workspace';
import { expect, test } from 'vitest';
import { makePipe, type Scratch, scratchFolder, writeFiles } from '../git/test/scratch.ts';
import { createWorkspaceFiles, MAX_TEXT_BYTES } from './workspace-files.ts';

interface Tree extends AsyncDisposable {
  readonly scratch: Scratch;
  readonly root: string;
  readonly files: WorkspaceFiles;
}

async function tree(uid: number | null = null): Promise<Tree> {
  const scratch = await scratchFolder();
  const root = scratch.join('tree');
  await writeFiles(root, { 'a.txt': 'a\n', 'src/b.txt': 'b\n', '.git/config': 'git\n' });
  await writeFiles(scratch.path, { 'outside/secret.txt': 'secret\n' });
  const files = createWorkspaceFiles({
    root,
    unfinished: scratch.join('unfinished'),
    uid,
    list: async () => [],
    ignoredFolders: async () => [],
    ignored: async () => [],
    storedInLfs: async () => [],
  });
  return { scratch, root, files, [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose]() };
}

async function refuses(files: WorkspaceFiles, path: string): Promise<void> {
  for (const call of [() => files.read(path), () => files.write(path, 'x'), () => files.remove(path)]) {
    await expect(call(), path).rejects.toMatchObject({ code: 'tool_refused' });
  }
}

test.each([
  '',
  '.',
  '..',
  '../outside/secret.txt',
  'src/../../outside/secret.txt',
  'src/../a.txt',
  '/etc/passwd',
  'src//b.txt',
  'src/./b.txt',
  'a.txt/',
  'a\0.txt',
  'a\n.txt',
  'src\\b.txt',
  'a.txt.',
  'a.txt ',
  'src./b.txt',
  '.git/config',
  '.GIT/config',
  '.Git/hooks/x',
  'src/.git/config',
  'git~1/config',
  'GIT~2/config',
  '.g\u200cit/config',
  '.git::$INDEX_ALLOCATION/config',
  'x'.repeat(300),
  `${'x/'.repeat(3000)}x`,
  `${'x/'.repeat(1000)}x`,
  `${`${'x'.repeat(250)}/`.repeat(15)}x`,
])('refuses the path %j for reading, writing and removing', async (path) => {
  await using it = await tree();
  await refuses(it.files, path);
  expect(await readFile(join(it.root, '.git/config'), 'utf8')).toBe('git\n');
});

test('reads, writes in new folders, replaces and removes', async () => {
  await using it = await tree();
  await it.files.write('new/deep/c.txt', 'ä\n');
  expect(await it.files.read('new/deep/c.txt')).toBe('ä\n');
  await it.files.write('./a.txt', 'changed\n');
  expect(await readFile(join(it.root, 'a.txt'), 'utf8')).toBe('changed\n');
  await it.files.remove('a.txt');
  await expect(it.files.read('a.txt')).rejects.toThrow(/no such file/);
  await expect(it.files.remove('a.txt')).rejects.toThrow(/no such file/);
});

test('keeps the mode of a file that it replaces, and the file when the write fails', async () => {
  await using it = await tree();
  await chmod(join(it.root, 'a.txt'), 0o775);
  await it.files.write('a.txt', 'x');
  expect((await stat(join(it.root, 'a.txt'))).mode & 0o777).toBe(0o775);
  await expect(it.files.write('a.txt', 'y'.repeat(MAX_TEXT_BYTES + 1))).rejects.toThrow(/1 MiB/);
  await expect(it.files.write('a.txt', 'a\0b')).rejects.toThrow(/NUL/);
  expect(await it.files.read('a.txt')).toBe('x');
  expect(await readdir(it.scratch.join('unfinished'))).toEqual([]);
});

test('follows a link inside the tree and no link out of it', async () => {
  await using it = await tree();
  await symlink('../a.txt', join(it.root, 'src/inside'));
  await symlink('src', join(it.root, 'folder'));
  await symlink(it.scratch.join('outside'), join(it.root, 'out'));
  await symlink('../outside/secret.txt', join(it.root, 'leak'));
  await symlink('nowhere', join(it.root, 'dangling'));
  await symlink('loop', join(it.root, 'loop'));
  await symlink('.', join(it.root, 'self'));
  expect(await it.files.read('src/inside')).toBe('a\n');
  expect(await it.files.read('folder/b.txt')).toBe('b\n');
  await it.files.write('src/inside', 'through\n');
  expect(await readFile(join(it.root, 'a.txt'), 'utf8')).toBe('through\n');
  expect((await lstat(join(it.root, 'src/inside'))).isSymbolicLink()).toBe(true);
  for (const path of ['out/secret.txt', 'leak', 'dangling', 'loop', 'self', 'loop/x']) {
    await expect(it.files.read(path), path).rejects.toMatchObject({ code: 'tool_refused' });
    await expect(it.files.write(path, 'x'), path).rejects.toMatchObject({ code: 'tool_refused' });
  }
  expect(await readFile(it.scratch.join('outside/secret.txt'), 'utf8')).toBe('secret\n');
});

test('makes no folder through a link that leads out', async () => {
  await using it = await tree();
  await symlink(it.scratch.join('outside'), join(it.root, 'out'));
  await expect(it.files.write('out/new/deep/x.txt', 'x')).rejects.toMatchObject({ code: 'tool_refused' });
  expect(await readdir(it.scratch.join('outside'))).toEqual(['secret.txt']);
});

test('reaches .git through no link, whatever its name', async () => {
  await using it = await tree();
  await mkdir(join(it.root, '.git/hooks'));
  await symlink('.git', join(it.root, 'g'));
  await symlink('.git/config', join(it.root, 'c'));
  await refuses(it.files, 'g/hooks/x');
  await refuses(it.files, 'g/config');
  await expect(it.files.read('c')).rejects.toMatchObject({ code: 'tool_refused' });
  await expect(it.files.write('c', 'x')).rejects.toMatchObject({ code: 'tool_refused' });
  expect(await readdir(join(it.root, '.git/hooks'))).toEqual([]);
});

test('removes a link itself, not what it leads to', async () => {
  await using it = await tree();
  await symlink('../outside/secret.txt', join(it.root, 'leak'));
  await it.files.remove('leak');
  await expect(lstat(join(it.root, 'leak'))).rejects.toThrow();
  expect(await readFile(it.scratch.join('outside/secret.txt'), 'utf8')).toBe('secret\n');
});

test('refuses pipes, sockets and folders without waiting on them', async () => {
  await using it = await tree();
  makePipe(join(it.root, 'pipe'));
  const server = createServer().listen(join(it.root, 'socket'));
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    for (const path of ['pipe', 'socket', 'src']) await refuses(it.files, path);
  } finally {
    server.close();
  }
});

test('refuses what is no text of a reasonable size', async () => {
  await using it = await tree();
  await writeFile(join(it.root, 'binary'), Buffer.from([1, 0, 2]));
  await writeFile(join(it.root, 'latin1'), Buffer.from([0x66, 0xfc, 0x72]));
  await writeFile(join(it.root, 'large'), 'x'.repeat(MAX_TEXT_BYTES + 1));
  await writeFile(join(it.root, 'largest'), 'x'.repeat(MAX_TEXT_BYTES));
  await writeFile(join(it.root, 'mark'), '\ufefftext');
  await expect(it.files.read('binary')).rejects.toThrow(/binary/);
  await expect(it.files.read('latin1')).rejects.toThrow(/UTF-8/);
  await expect(it.files.read('large')).rejects.toThrow(/1 MiB/);
  expect((await it.files.read('largest')).length).toBe(MAX_TEXT_BYTES);
  expect(await it.files.read('mark')).toBe('\ufefftext');
});

test('makes no second file or folder that differs only in case, and names the one that is there', async () => {
  await using it = await tree();
  await expect(it.files.write('A.TXT', 'x')).rejects.toThrow(/"a\.txt"/);
  await expect(it.files.write('SRC/c.txt', 'x')).rejects.toThrow(/"src"/);
  await expect(it.files.read('A.txt')).rejects.toThrow(/there is "a\.txt"/);
  expect((await readdir(it.root)).sort()).toEqual(['.git', 'a.txt', 'src']);
});

test.runIf(process.getuid?.() === 0)("gives what it makes to the tree's user", async () => {
  await using it = await tree(234_567);
  await it.files.write('new/c.txt', 'x');
  await it.files.write('a.txt', 'x');
  for (const path of ['new', 'new/c.txt', 'a.txt']) expect((await stat(join(it.root, path))).uid).toBe(234_567);
});
