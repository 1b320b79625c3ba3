import { execFileSync } from 'node:child_process';
import { chmod, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TextQuery } from '@sluice/core/workspace';
import { expect, test } from 'vitest';
import { makePipe, plainGit, SAMPLE_FILES, writeFiles } from '../git/test/scratch.ts';
import { grep, linesOf, query } from './test/grep-files-scene.ts';
import { never, workspaceScratch } from './test/workspace-scratch.ts';
import { sandboxUidFor } from './tree-owner.ts';

test('finds lines by path and line, of tracked and new files', async () => {
  await using it = await workspaceScratch({ ...SAMPLE_FILES, 'lib/z.js': 'one add\ntwo\nthree add\n' });
  const workspace = await it.prepare();
  await writeFiles(workspace.root, { 'new.js': 'add\r\n', '.hidden/x.js': 'add\n', 'ä ö\n.js': 'add\n' });
  expect(await grep(workspace, 'add')).toEqual([
    '.hidden/x.js:1:add',
    'lib/z.js:1:one add',
    'lib/z.js:3:three add',
    'new.js:1:add',
    'src/add.js:1:export const add = (a, b) => a - b;',
    'ä ö\n.js:1:add',
  ]);
  expect(await grep(workspace, 'nowhere')).toEqual([]);
  expect(await grep(workspace, '^t\\w+', { context: 1 })).toEqual([
    'lib/z.js-1-one add',
    'lib/z.js:2:two',
    'lib/z.js:3:three add',
  ]);
});

test('takes a pattern as a regular expression or as it is, with or without case', async () => {
  await using it = await workspaceScratch({ 'a.txt': 'f(x)\nF(X)\nfx\n-foo\n--files\n' });
  const workspace = await it.prepare();
  expect(await grep(workspace, 'f(x)')).toEqual(['a.txt:3:fx']);
  expect(await grep(workspace, 'f(x)', { literal: true })).toEqual(['a.txt:1:f(x)']);
  expect(await grep(workspace, 'f(x)', { literal: true, ignoreCase: true })).toEqual(['a.txt:1:f(x)', 'a.txt:2:F(X)']);
  expect(await grep(workspace, '-foo')).toEqual(['a.txt:4:-foo']);
  expect(await grep(workspace, '--files')).toEqual(['a.txt:5:--files']);
});

test('looks below a folder, in a file, and in files whose path fits', async () => {
  const files = { 'src/a.ts': 'x\n', 'src/b.js': 'x\n', 'src/deep/c.ts': 'x\n', 'test/d.ts': 'x\n', '-v/e.ts': 'x\n' };
  await using it = await workspaceScratch(files);
  const workspace = await it.prepare();
  const paths = async (changes: Partial<TextQuery>): Promise<string[]> =>
    (await grep(workspace, 'x', changes)).map((line) => line.replace(/:.*/, ''));
  expect(await paths({ path: 'src' })).toEqual(['src/a.ts', 'src/b.js', 'src/deep/c.ts']);
  expect(await paths({ path: './src/deep/' })).toEqual(['src/deep/c.ts']);
  expect(await paths({ path: '-v' })).toEqual(['-v/e.ts']);
  expect(await paths({ path: '.' })).toHaveLength(5);
  expect(await paths({ path: 'src/b.js' })).toEqual(['src/b.js']);
  expect(await paths({ glob: '*.js' })).toEqual(['src/b.js']);
  expect(await paths({ glob: 'src/**' })).toEqual(['src/a.ts', 'src/b.js', 'src/deep/c.ts']);
  expect(await paths({ glob: '*.ts', path: 'src' })).toEqual(['src/a.ts', 'src/deep/c.ts']);
  expect(await paths({ glob: '--pre=/bin/sh' })).toEqual([]);
});

test('leaves out what git ignores, also where the tree has no .git, and nothing else', async () => {
  await using it = await workspaceScratch({
    '.gitignore': 'build/\n*.log\n',
    'tracked.log': 'x\n',
    'build/tracked.js': 'x\n',
    'src/a.js': 'x\n',
  });
  const workspace = await it.prepare();
  await writeFiles(workspace.root, {
    'new.log': 'x\n',
    'build/out.js': 'x\n',
    'out/[a]*{b}/x.js': 'x\n',
    'node_modules/m/x.js': 'x\n',
    'out/.gitignore': '*\n',
    '.git-like/x': 'x\n',
  });
  await rm(join(workspace.root, '.git'));
  const expected = ['.git-like/x:1:x', 'build/tracked.js:1:x', 'src/a.js:1:x', 'tracked.log:1:x'];
  expect(await grep(workspace, 'x')).toEqual(expected);
  await writeFiles(workspace.root, { '.git/x': 'x\n' });
  expect(await grep(workspace, 'x')).toEqual(expected);
  expect(await grep(workspace, 'x', { glob: '!.gitx' })).toEqual(expected);
  expect(await grep(workspace, 'x', { glob: '.git/**' })).toEqual([]);
});

test('lets no file of the repository hide another one, or set how is searched', async () => {
  await using it = await workspaceScratch({
    'evil.js': 'evil\n',
    '.ignore': '*\n',
    '.rgignore': '*\n',
    '.gitignore': 'evil.js\n',
    '.ripgreprc': '--files\n--invert-match\n',
    '.config/ripgrep': '--pre=/bin/sh\n',
    '.config/git/ignore': '*\n',
  });
  const workspace = await it.prepare();
  await writeFiles(workspace.root, { 'new.js': 'evil\n' });
  expect(await grep(workspace, 'evil')).toEqual(['.gitignore:1:evil.js', 'evil.js:1:evil', 'new.js:1:evil']);
});

test.each([
  '..',
  '../..',
  '../outside',
  '/etc',
  '/',
  'src/../..',
  '.git',
  '.git/config',
  'a\0b',
  'out',
  'out/x',
  'leak',
])('refuses to look in %j', async (path) => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  await writeFiles(it.scratch.path, { 'outside/x': 'root\n' });
  await symlink(it.scratch.join('outside'), join(workspace.root, 'out'));
  await symlink('/etc/passwd', join(workspace.root, 'leak'));
  await expect(workspace.files.grep(query('root', { path }), never)).rejects.toMatchObject({ code: 'tool_refused' });
});

test('follows no link on its way, and waits on no pipe', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  await symlink('/etc', join(workspace.root, 'etc'));
  await symlink('/etc/passwd', join(workspace.root, 'passwd'));
  await symlink('/dev/zero', join(workspace.root, '.ignore'));
  await mkdir(join(workspace.root, 'deep'));
  await symlink('/dev/zero', join(workspace.root, 'deep/.gitignore'));
  await symlink('.', join(workspace.root, 'loop'));
  makePipe(join(workspace.root, 'pipe'));
  expect(await grep(workspace, 'root|export')).toEqual(['src/add.js:1:export const add = (a, b) => a - b;']);
  for (const path of ['etc', 'passwd', 'pipe', 'etc/passwd']) {
    await expect(workspace.files.grep(query('root', { path }), never), path).rejects.toMatchObject({
      code: 'tool_refused',
    });
  }
  await symlink('src', join(workspace.root, 'inside'));
  expect(await grep(workspace, 'export', { path: 'inside' })).toHaveLength(1);
});

test('refuses a pipe in the place of .gitignore by name instead of waiting', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  makePipe(join(workspace.root, 'src/.gitignore'));
  await expect(workspace.files.grep(query('x'), never)).rejects.toMatchObject({ code: 'workspace_unsafe' });
});

test.each([
  ['unclosed group', 'a('],
  ['unclosed character class', '['],
  ['look-around', '(?<=a)b'],
  ['\\n', 'a\nb'],
  ['size limit', '(a{1000}){1000}'],
  ['NUL', 'a\0b'],
  ['too long', 'a'.repeat(20_000)],
])('says why a pattern cannot be used: %j', async (why, pattern) => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  await expect(workspace.files.grep(query(pattern), never)).rejects.toMatchObject({
    code: 'tool_refused',
    message: expect.stringContaining(why),
  });
});

test('says why a glob cannot be used', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  await expect(workspace.files.grep(query('x', { glob: 'a[' }), never)).rejects.toMatchObject({
    code: 'tool_refused',
    message: expect.stringContaining('a['),
  });
});

test('skips what is binary or too large, and reads what is not UTF-8', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  await writeFile(join(workspace.root, 'binary'), Buffer.from('needle\n\0\n'));
  await writeFile(join(workspace.root, 'late'), `needle\n${'x\n'.repeat(200_000)}\0`);
  await writeFile(join(workspace.root, 'large'), 'needle\n'.repeat(200_000));
  await writeFile(join(workspace.root, 'latin1'), Buffer.from([...Buffer.from('needle f'), 0xfc, 0x72, 10]));
  expect(await grep(workspace, 'needle', { limit: 2 })).toEqual(['latin1:1:needle f\ufffdr']);
});

test('cuts a huge line to what is around the match', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  await writeFile(join(workspace.root, 'huge'), `${'ä'.repeat(200_000)}needle${'ä'.repeat(200_000)}`);
  const [line] = (await workspace.files.grep(query('needle'), never)).lines;
  expect(line?.text).toMatch(/^…ä+needleä+…$/);
  expect(line?.text.length).toBeLessThan(600);
});

test('ends at its limit and says so, with the lines around the last match and none of the next', async () => {
  await using it = await workspaceScratch({ 'a.txt': '1\nx2\n3\n4\nx5\n6\n7\nx8\n', 'b.txt': 'x\n' });
  const workspace = await it.prepare();
  const two = await workspace.files.grep(query('x', { limit: 2, context: 2 }), never);
  expect(two.truncated).toBe(true);
  expect(linesOf(two)).toEqual([
    'a.txt-1-1',
    'a.txt:2:x2',
    'a.txt-3-3',
    'a.txt-4-4',
    'a.txt:5:x5',
    'a.txt-6-6',
    'a.txt-7-7',
  ]);
  const all = await workspace.files.grep(query('x', { limit: 4 }), never);
  expect([all.lines.length, all.truncated]).toEqual([4, false]);
  const three = await workspace.files.grep(query('x', { limit: 3 }), never);
  expect([three.lines.length, three.truncated]).toEqual([3, true]);
});

test('is ended by a cancel', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  const cancel = new AbortController();
  const reason = new Error('cancelled');
  const search = workspace.files.grep(query('x'), cancel.signal);
  cancel.abort(reason);
  await expect(search).rejects.toBe(reason);
});

test.runIf(process.getuid?.() === 0)("searches as the tree's own user", async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  // Root could read the file.
  await writeFile(join(workspace.root, 'ours.txt'), 'needle\n', { mode: 0o600 });
  await writeFiles(workspace.root, { 'src/theirs.txt': 'needle\n' });
  execFileSync('chown', ['-R', String(sandboxUidFor(workspace.issueId)), join(workspace.root, 'src')]);
  await chmod(join(workspace.root, 'src/theirs.txt'), 0o600);
  expect(await grep(workspace, 'needle')).toEqual(['src/theirs.txt:1:needle']);
});

test('finds names that are not UTF-8, and none of a nested repository', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  execFileSync('bash', ['-c', 'echo needle > "$(printf "f\\377")"'], { cwd: workspace.root });
  await writeFiles(workspace.root, { 'nested/x': 'needle\n' });
  await plainGit(join(workspace.root, 'nested'), 'init', '-q');
  expect(await grep(workspace, 'needle')).toEqual(['f\ufffd:1:needle']);
  await rename(join(workspace.root, 'nested/.git'), join(workspace.root, 'nested/.GIT'));
  expect(await grep(workspace, 'needle|bare')).toEqual(['f\ufffd:1:needle', 'nested/x:1:needle']);
});
