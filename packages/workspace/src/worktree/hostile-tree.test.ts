import { chmod, lstat, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makePipe, plainGit, SAMPLE_FILES, writeFiles } from '../git/test/scratch.ts';
import { arm, everything, plantCanary } from './test/hostile-tree-scene.ts';
import { never, workspaceScratch } from './test/workspace-scratch.ts';

test('runs nothing of a repository that took the place of .git, and puts .git back', async () => {
  await using it = await workspaceScratch();
  const canary = await plantCanary(it);
  const workspace = await it.prepare();
  const pointer = await readFile(join(workspace.root, '.git'), 'utf8');
  await rm(join(workspace.root, '.git'));
  await plainGit(workspace.root, 'init', '-q');
  await writeFiles(workspace.root, { '.gitattributes': '* filter=evil diff=evil\n', 'new.txt': 'new\n' });
  await arm(join(workspace.root, '.git'), canary.program);
  // The trap is live: plain git runs it.
  await plainGit(workspace.root, 'status');
  const before = await canary.runs();
  expect(before).toBeGreaterThan(0);
  await everything(workspace);
  expect(await canary.runs()).toBe(before);
  expect(await readFile(join(workspace.root, '.git'), 'utf8')).toBe(pointer);
});

test.each(['removed', 'a link', 'a folder', 'another pointer'])('puts .git back when it is %s', async (how) => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  const file = join(workspace.root, '.git');
  const pointer = await readFile(file, 'utf8');
  await rm(file);
  if (how === 'a link') await symlink(it.origin, file);
  if (how === 'a folder') await writeFiles(workspace.root, { '.git/x': 'x' });
  if (how === 'another pointer') await writeFile(file, `gitdir: ${it.origin}/.git\n`);
  await it.prepare({ baseCommit: workspace.baseCommit });
  expect(await readFile(file, 'utf8')).toBe(pointer);
  expect((await lstat(file)).isFile()).toBe(true);
});

test('runs no filter, external diff or text conversion that the tree asks for', async () => {
  await using it = await workspaceScratch({ ...SAMPLE_FILES, '.gitattributes': '* filter=evil diff=evil\n' });
  const canary = await plantCanary(it);
  const workspace = await it.prepare();
  await writeFiles(workspace.root, {
    '.gitconfig': `[filter "evil"]\n\tclean = ${canary.program}\n[diff "evil"]\n\ttextconv = ${canary.program}\n`,
    '.gitmodules': `[submodule "x"]\n\tpath = src\n\turl = ext::${canary.program}\n\tupdate = !${canary.program}\n`,
    'src/add.js': 'changed\n',
  });
  const { diff } = await workspace.diff(never);
  expect(diff).toContain('+changed');
  await everything(workspace);
  expect(await canary.runs()).toBe(0);
});

test.each([true, false])(
  'refuses a nested repository by name and never enters it (with a commit: %s)',
  async (committed) => {
    await using it = await workspaceScratch();
    const canary = await plantCanary(it);
    const workspace = await it.prepare();
    const nested = join(workspace.root, 'vendor', 'evil');
    await mkdir(nested, { recursive: true });
    await plainGit(nested, 'init', '-q');
    await writeFiles(nested, { x: 'x', '.gitattributes': '* filter=evil' });
    if (committed) {
      await plainGit(nested, 'add', '-A');
      await plainGit(nested, 'commit', '-q', '-m', 'x');
    }
    await arm(join(nested, '.git'), canary.program);
    const refusal = { code: 'workspace_unsafe', message: expect.stringContaining('vendor/evil') };
    await expect(workspace.diff(never)).rejects.toMatchObject(refusal);
    await expect(workspace.commit({ message: 'x', signal: never })).rejects.toMatchObject(refusal);
    await expect(workspace.checkpoint(never)).rejects.toMatchObject(refusal);
    await workspace.files.list();
    await workspace.reset(never);
    expect(await canary.runs()).toBe(0);
    await expect(lstat(nested)).rejects.toThrow();
  },
);

test('leaves a submodule of the base empty, and refuses one that was filled, without entering it', async () => {
  await using it = await workspaceScratch();
  const canary = await plantCanary(it);
  const pinned = await plainGit(it.origin, 'rev-parse', 'HEAD');
  await plainGit(it.origin, 'update-index', '--add', '--cacheinfo', `160000,${pinned},deep/sub`);
  await plainGit(it.origin, 'commit', '-q', '-m', 'a submodule');
  const workspace = await it.prepare();
  await writeFiles(workspace.root, { 'src/add.js': 'changed\n' });
  expect((await workspace.diff(never)).files.map(({ path }) => path)).toEqual(['src/add.js']);
  // git add asks a filled submodule for its status, in a separate process that gets none of our settings.
  const sub = join(workspace.root, 'deep/sub');
  await plainGit(it.scratch.path, 'clone', '-q', it.origin, sub);
  await plainGit(sub, 'checkout', '-q', pinned);
  await arm(join(sub, '.git'), canary.program);
  await plainGit(workspace.root, 'add', '-A');
  const before = await canary.runs();
  expect(before).toBeGreaterThan(0);
  await expect(workspace.diff(never)).rejects.toMatchObject({
    code: 'workspace_unsafe',
    message: expect.stringContaining('"deep/sub"'),
  });
  expect(await workspace.files.list()).toEqual(['README.md', 'src/add.js']);
  await workspace.reset(never);
  expect(await readdir(sub)).toEqual([]);
  expect((await workspace.diff(never)).files).toEqual([]);
  expect(await canary.runs()).toBe(before);
});

test.each(['.gitattributes', 'src/.gitignore', 'src/.GITATTRIBUTES'])(
  'refuses a pipe in the place of %s by name instead of waiting',
  async (path) => {
    await using it = await workspaceScratch();
    const workspace = await it.prepare();
    makePipe(join(workspace.root, path));
    const refusal = { code: 'workspace_unsafe', message: expect.stringContaining(path) };
    await expect(workspace.diff(never)).rejects.toMatchObject(refusal);
    await expect(workspace.files.list()).rejects.toMatchObject(refusal);
    await workspace.reset(never);
    expect((await workspace.diff(never)).files).toEqual([]);
  },
);

test('refuses a pipe in the place of a tracked file by name', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  await rm(join(workspace.root, 'README.md'));
  makePipe(join(workspace.root, 'README.md'));
  await expect(workspace.diff(never)).rejects.toMatchObject({
    code: 'workspace_unsafe',
    message: expect.stringContaining('README.md'),
  });
  await workspace.reset(never);
  expect(await workspace.files.read('README.md')).toBe('# Sample\n');
});

test.each(['.GIT/config', 'src/git~1/config'])('refuses a new %s, which is .git on other systems', async (path) => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  await writeFiles(workspace.root, { [path]: 'x' });
  await expect(workspace.diff(never)).rejects.toMatchObject({
    code: 'workspace_unsafe',
    message: expect.stringContaining(path),
  });
});

test('takes a link that leads out as a link, and never reads what it leads to', async () => {
  await using it = await workspaceScratch();
  await writeFiles(it.scratch.path, { secret: 'top secret\n' });
  const workspace = await it.prepare();
  await symlink(it.scratch.join('secret'), join(workspace.root, 'leak'));
  await rm(join(workspace.root, 'src'), { recursive: true });
  await symlink(it.scratch.path, join(workspace.root, 'src'));
  const { diff, files } = await workspace.diff(never);
  expect(files.map(({ path }) => path)).toEqual(['leak', 'src', 'src/add.js']);
  expect(diff).not.toContain('top secret');
  await workspace.reset(never);
  expect((await stat(join(workspace.root, 'src/add.js'))).isFile()).toBe(true);
  expect(await readFile(it.scratch.join('secret'), 'utf8')).toBe('top secret\n');
});

// Root may read and write anywhere.
describe.runIf(process.getuid?.() !== 0)('as an ordinary user', () => {
  test('opens the folders that a command closed to us', async () => {
    await using it = await workspaceScratch();
    const workspace = await it.prepare();
    await chmod(join(workspace.root, 'src'), 0o000);
    expect((await workspace.diff(never)).files).toEqual([]);
    await writeFiles(workspace.root, { 'src/add.js': 'changed\n', 'new/deep/x': 'x' });
    for (const folder of ['src', 'new/deep', 'new']) await chmod(join(workspace.root, folder), 0o500);
    await workspace.reset(never);
    expect((await workspace.diff(never)).files).toEqual([]);
    await expect(lstat(join(workspace.root, 'new'))).rejects.toThrow();
    await it.workspaces.discard(workspace.issueId);
  });

  test('names what was closed', async () => {
    await using it = await workspaceScratch();
    const workspace = await it.prepare();
    await chmod(join(workspace.root, 'README.md'), 0o000);
    await expect(workspace.diff(never)).rejects.toMatchObject({
      code: 'workspace_unsafe',
      message: expect.stringContaining('README.md'),
    });
    await chmod(join(workspace.root, 'src'), 0o500);
    const refusal = { code: 'tool_refused', message: expect.stringContaining('may not be written in') };
    await expect(workspace.files.write('src/new.js', 'x')).rejects.toMatchObject(refusal);
    await expect(workspace.files.write('src/deep/new.js', 'x')).rejects.toMatchObject(refusal);
    await expect(workspace.files.remove('src/add.js')).rejects.toMatchObject(refusal);
    await chmod(join(workspace.root, 'src'), 0o755);
  });
});
