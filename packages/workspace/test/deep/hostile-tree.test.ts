import { execFileSync } from 'node:child_process';
import { lstat, mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { makePipe, plainGit, SAMPLE_FILES, writeFiles } from '../../src/git/test/scratch.ts';
import { arm, everything, plantCanary } from '../../src/worktree/test/hostile-tree-scene.ts';
import { never, workspaceScratch } from '../../src/worktree/test/workspace-scratch.ts';

// Usual way: packages/workspace/src/worktree/hostile-tree.test.ts

const TRACKED = { 'node_modules/m/index.js': 'x\n', 'node_modules/m/n/node_modules/k.js': 'k\n' };

test.runIf(process.getuid?.() === 0)("gives a submodule's folder that was emptied to the issue's user", async () => {
  await using it = await workspaceScratch();
  const pinned = await plainGit(it.origin, 'rev-parse', 'HEAD');
  await plainGit(it.origin, 'update-index', '--add', '--cacheinfo', `160000,${pinned},deep/sub`);
  await plainGit(it.origin, 'commit', '-q', '-m', 'a submodule');
  const workspace = await it.prepare();
  await writeFiles(workspace.root, { 'deep/sub/left': 'x\n' });
  await workspace.reset(never);
  const sub = join(workspace.root, 'deep/sub');
  expect(await readdir(sub)).toEqual([]);
  expect((await lstat(sub)).uid).toBe((await lstat(workspace.root)).uid);
});

test('shows what becomes of a submodule of which the repository says that it is not to be shown', async () => {
  await using it = await workspaceScratch();
  const pinned = await plainGit(it.origin, 'rev-parse', 'HEAD');
  const ignored = '[submodule "sub"]\n\tpath = .github/workflows\n\turl = ./sub\n\tignore = all\n';
  await writeFiles(it.origin, { '.gitmodules': ignored });
  await plainGit(it.origin, 'add', '.gitmodules');
  await plainGit(it.origin, 'update-index', '--add', '--cacheinfo', `160000,${pinned},.github/workflows`);
  await plainGit(it.origin, 'commit', '-q', '-m', 'a submodule');
  const workspace = await it.prepare();
  await rm(join(workspace.root, '.github'), { recursive: true });
  await writeFiles(workspace.root, { '.github': 'in its place\n' });
  const changed = (await workspace.diff(never)).files.map(({ path }) => path);
  expect(changed).toEqual(['.github', '.github/workflows']);
  const head = await workspace.commit({ message: 'gone', signal: never });
  expect(head?.patch.toString()).toContain('deleted file mode 160000');
});

test('takes a new file for no submodule, whatever its name', async () => {
  await using it = await workspaceScratch({ ...SAMPLE_FILES, '.gitignore': 'node_modules\n' });
  const workspace = await it.prepare();
  const name = '160000 x\tnode_modules/y';
  await writeFiles(workspace.root, { 'node_modules/y/.git/HEAD': 'x\n', [name]: 'x\n' });
  expect((await workspace.diff(never)).files.map(({ path }) => path)).toEqual([name]);
});

test('refuses a filled submodule whose name is not UTF-8, without entering it', async () => {
  await using it = await workspaceScratch();
  const canary = await plantCanary(it);
  const pinned = await plainGit(it.origin, 'rev-parse', 'HEAD');
  // Where no other check looks: git goes into a submodule also in a folder that is ignored.
  const link = `printf '160000 ${pinned}\\tnode_modules/sub\\377\\0' | git update-index -z --index-info`;
  execFileSync('bash', ['-c', link], { cwd: it.origin });
  await plainGit(it.origin, 'commit', '-q', '-m', 'a submodule');
  const workspace = await it.prepare();
  const armed = it.scratch.join('armed');
  await plainGit(it.scratch.path, 'clone', '-q', it.origin, armed);
  await plainGit(armed, 'checkout', '-q', pinned);
  await arm(join(armed, '.git'), canary.program);
  await writeFiles(armed, { '.git/info/attributes': '* filter=evil\n', 'README.md': 'changed\n' });
  const fill = 'cp -R "$0/." node_modules/sub$(printf "\\377")';
  execFileSync('bash', ['-c', fill, armed], { cwd: workspace.root });
  // The trap is live: plain git runs it, and may fail over what it answers.
  await plainGit(workspace.root, 'add', '-A').catch(() => undefined);
  const before = await canary.runs();
  expect(before).toBeGreaterThan(0);
  await expect(workspace.diff(never)).rejects.toMatchObject({
    code: 'workspace_unsafe',
    message: expect.stringContaining('"node_modules/sub'),
  });
  await workspace.reset(never);
  expect(await canary.runs()).toBe(before);
});

test('takes names that are not UTF-8 as they are, and puts them back', async () => {
  await using it = await workspaceScratch();
  execFileSync('bash', ['-c', 'mkdir $(printf "d\\377") && echo a > $(printf "d\\377/f\\376")'], { cwd: it.origin });
  await plainGit(it.origin, 'add', '-A');
  await plainGit(it.origin, 'commit', '-q', '-m', 'odd names');
  const workspace = await it.prepare();
  execFileSync('bash', ['-c', 'echo b > d*/f* && mkdir $(printf "new\\377") && cd new* && echo c > c'], {
    cwd: workspace.root,
  });
  expect((await workspace.diff(never)).files.map(({ path }) => path)).toEqual(['d\ufffd/f\ufffd', 'new\ufffd/c']);
  const head = await workspace.commit({ message: 'odd names', signal: never });
  await workspace.reset(never);
  expect((await workspace.diff(never)).files).toEqual([]);
  expect(
    await plainGit(it.origin, '--git-dir', workspace.gitDir, 'ls-tree', '-r', '--name-only', head?.commit ?? ''),
  ).toContain('"d\\377/f\\376"');
});

test('refuses folders so deep that no path leads there, and removes them', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  const dig = 'n=$(printf "x%.0s" {1..200}); for i in {1..60}; do mkdir $n && cd $n || exit 1; done; echo deep > file';
  execFileSync('bash', ['-c', dig], { cwd: workspace.root });
  await expect(workspace.diff(never)).rejects.toMatchObject({
    code: 'workspace_unsafe',
    message: expect.stringContaining('nested too deeply'),
  });
  await workspace.reset(never);
  expect((await workspace.diff(never)).files).toEqual([]);
  execFileSync('bash', ['-c', dig], { cwd: workspace.root });
  await it.workspaces.discard(workspace.issueId);
  await it.workspaces.settled();
  expect(await readdir(join(it.root, 'trash'))).toEqual([]);
});

test('empties no folder outside when a link leads to where a submodule was', async () => {
  await using it = await workspaceScratch({ ...SAMPLE_FILES, '.gitignore': 'deep\n' });
  const pinned = await plainGit(it.origin, 'rev-parse', 'HEAD');
  await plainGit(it.origin, 'update-index', '--add', '--cacheinfo', `160000,${pinned},deep/sub`);
  await plainGit(it.origin, 'commit', '-q', '-m', 'a submodule');
  const workspace = await it.prepare();
  await writeFiles(it.scratch.path, { 'outside/sub/.git/precious': 'x' });
  await rm(join(workspace.root, 'deep'), { recursive: true });
  await symlink(it.scratch.join('outside'), join(workspace.root, 'deep'));
  await workspace.reset(never);
  expect(await readFile(it.scratch.join('outside/sub/.git/precious'), 'utf8')).toBe('x');
});

test('does not follow a repository planted in a folder with tracked files', async () => {
  await using it = await workspaceScratch();
  const canary = await plantCanary(it);
  const workspace = await it.prepare();
  const folder = join(workspace.root, 'src');
  await plainGit(folder, 'init', '-q', folder);
  await arm(join(folder, '.git'), canary.program);
  await writeFiles(workspace.root, { 'src/add.js': 'changed\n' });
  expect((await workspace.diff(never)).files.map(({ path }) => path)).toEqual(['src/add.js']);
  await everything(workspace);
  expect(await canary.runs()).toBe(0);
});

test.each([
  ['that hold tracked files', TRACKED, 'node_modules/m/n/node_modules/.gitattributes'],
  [
    'that hold tracked files and are not ignored',
    { ...TRACKED, '.gitignore': '!node_modules/\n' },
    'node_modules/.gitignore',
  ],
  ['that are not ignored', { '.gitignore': '!node_modules\n' }, 'node_modules/m/.gitignore'],
])('refuses a pipe among dependencies %s by name instead of waiting', async (_which, files, path) => {
  await using it = await workspaceScratch({ ...SAMPLE_FILES, ...files });
  const workspace = await it.prepare();
  await mkdir(dirname(join(workspace.root, path)), { recursive: true });
  makePipe(join(workspace.root, path));
  const refusal = { code: 'workspace_unsafe', message: expect.stringContaining(path) };
  await expect(workspace.diff(never)).rejects.toMatchObject(refusal);
  await expect(workspace.files.list()).rejects.toMatchObject(refusal);
  await workspace.reset(never);
  expect((await workspace.diff(never)).files).toEqual([]);
});

test('removes a pipe among dependencies that only the commit to be restored holds', async () => {
  await using it = await workspaceScratch({ ...SAMPLE_FILES, ...TRACKED });
  const workspace = await it.prepare();
  await rm(join(workspace.root, 'node_modules'), { recursive: true });
  await workspace.commit({ message: 'without them', signal: never });
  await mkdir(join(workspace.root, 'node_modules'));
  makePipe(join(workspace.root, 'node_modules/.gitattributes'));
  makePipe(join(workspace.root, '.gitattributes'));
  await workspace.reset(never);
  expect(await workspace.files.read('node_modules/m/index.js')).toBe('x\n');
});

test('does not search dependencies that git ignores, also below a submodule of the base', async () => {
  await using it = await workspaceScratch();
  const pinned = await plainGit(it.origin, 'rev-parse', 'HEAD');
  await plainGit(it.origin, 'update-index', '--add', '--cacheinfo', `160000,${pinned},sub`);
  await plainGit(it.origin, 'commit', '-q', '-m', 'a submodule');
  const workspace = await it.prepare();
  for (const folder of ['node_modules', 'src/node_modules', 'sub/node_modules', ':(top)*/node_modules']) {
    await mkdir(join(workspace.root, folder), { recursive: true });
    makePipe(join(workspace.root, folder, '.gitignore'));
  }
  expect((await workspace.diff(never)).files).toEqual([]);
});

test('refuses a change of more new files than a person could review', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  await mkdir(join(workspace.root, 'many'));
  execFileSync('sh', ['-c', 'seq 1 10001 | xargs touch'], { cwd: join(workspace.root, 'many') });
  await expect(workspace.diff(never)).rejects.toMatchObject({ code: 'workspace_unsafe' });
});
