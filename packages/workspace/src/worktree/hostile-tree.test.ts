import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Workspace } from '@sluice/core';
import { describe, expect, test } from 'vitest';
import { makePipe, plainGit, SAMPLE_FILES, writeFiles } from '../git/test/scratch.ts';
import { never, type WorkspaceScratch, workspaceScratch } from './test/workspace-scratch.ts';

interface Canary {
  /** A program that leaves a trace when it is run. */
  readonly program: string;
  /** How often it ran. */
  runs(): Promise<number>;
}

async function plantCanary(it: WorkspaceScratch): Promise<Canary> {
  const program = it.scratch.join('canary.sh');
  const trace = it.scratch.join('trace');
  await writeFile(program, `#!/bin/sh\necho ran >> ${trace}\n`);
  await chmod(program, 0o755);
  await chmod(it.scratch.path, 0o777);
  return {
    program,
    runs: async () => (await readFile(trace, 'utf8').catch(() => '')).split('\n').length - 1,
  };
}

/** Everything in a repository's own configuration that git runs. */
async function arm(gitDir: string, program: string): Promise<void> {
  for (const key of [
    'core.fsmonitor',
    'core.sshCommand',
    'core.editor',
    'core.pager',
    'core.alternateRefsCommand',
    'diff.external',
    'diff.evil.command',
    'diff.evil.textconv',
    'filter.evil.clean',
    'filter.evil.smudge',
    'filter.evil.process',
    'gpg.program',
  ]) {
    await plainGit(gitDir, '--git-dir', gitDir, 'config', key, program);
  }
  await mkdir(join(gitDir, 'hooks'), { recursive: true });
  for (const hook of [
    'pre-commit',
    'post-commit',
    'post-checkout',
    'pre-push',
    'post-index-change',
    'reference-transaction',
  ]) {
    await writeFile(join(gitDir, 'hooks', hook), `#!/bin/sh\n${program} </dev/null\n`);
    await chmod(join(gitDir, 'hooks', hook), 0o755);
  }
}

/** All that the service does with a tree. */
async function everything(workspace: Workspace): Promise<void> {
  await workspace.files.list();
  const everywhere = { literal: false, ignoreCase: false, path: null, glob: null, context: 0, limit: 10 };
  await workspace.files.grep({ pattern: '.', ...everywhere }, never);
  await workspace.diff(never);
  const head = await workspace.commit({ message: 'change', signal: never });
  if (head !== null) {
    await workspace.push(head.commit, never);
    await workspace.restore(head, never);
  }
  const kept = await workspace.checkpoint(never);
  if (kept !== null) await workspace.restore(kept, never);
  await workspace.diff(never);
  await workspace.reset(never);
}

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

const TRACKED = { 'node_modules/m/index.js': 'x\n', 'node_modules/m/n/node_modules/k.js': 'k\n' };

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

test('refuses a change of more new files than a person could review', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  await mkdir(join(workspace.root, 'many'));
  execFileSync('sh', ['-c', 'seq 1 10001 | xargs touch'], { cwd: join(workspace.root, 'many') });
  await expect(workspace.diff(never)).rejects.toMatchObject({ code: 'workspace_unsafe' });
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
