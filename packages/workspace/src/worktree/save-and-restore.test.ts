import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, readlink, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Checkpoint, Workspace } from '@sluice/core';
import { expect, test } from 'vitest';
import { plainGit, SAMPLE_FILES, writeFiles } from '../git/test/scratch.ts';
import { commitIdOf, savedTreeObject } from './commit-object.ts';
import {
  committed,
  never,
  newIssueId,
  type WorkspaceScratch,
  workspaceScratch,
  workspacesOptions,
} from './test/workspace-scratch.ts';
import { createWorkspaces } from './workspaces.ts';

/** The same issue where nothing is known but the remote. */
async function onAnotherHost(it: WorkspaceScratch, baseCommit: string): Promise<Workspace> {
  const folder = it.scratch.join(`host-${randomBytes(4).toString('hex')}`);
  return createWorkspaces(workspacesOptions(folder)).prepare(it.request({ baseCommit }));
}

async function kept(workspace: Workspace): Promise<Checkpoint> {
  const checkpoint = await workspace.checkpoint(never);
  if (checkpoint === null) throw new Error('nothing was kept');
  return checkpoint;
}

/** Compared as text: a large patch byte for byte would take seconds. */
function told({ commit, object, patch }: Checkpoint): object {
  return { commit, object, patch: Buffer.from(patch).toString('latin1') };
}

function git(workspace: Workspace, ...args: string[]): Promise<string> {
  return plainGit(workspace.root, '--git-dir', workspace.gitDir, ...args);
}

const VARIED_FILES = {
  ...SAMPLE_FILES,
  'dos.txt': 'one\r\ntwo\r\nthree\r\n',
  'empty.txt': '',
  'gone.txt': 'gone\n',
  'moved from.txt': 'moved\nmoved\nmoved\n',
  'no-end.txt': 'no line feed at the end',
  'script.sh': '#!/bin/sh\n',
  'to-link.txt': 'text\n',
  'folder/a': 'a\n',
  'file-to-folder': 'x\n',
  'spaces.txt': 'a  \n\t b\n',
};

/** Every kind of change that git knows. */
async function changeEverything(root: string): Promise<void> {
  await writeFile(join(root, 'bin'), randomBytes(100_000));
  await writeFiles(root, {
    'dos.txt': 'one\r\n2\r\nthree\n',
    'empty.txt': 'no longer\n',
    'new-empty.txt': '',
    'no-end.txt': 'no line feed at the end, still',
    'spaces.txt': 'a \n\t b\t \n \n\n\n',
    'a b/c d.txt': 'x\n',
    ' leading and trailing ': 'x\n',
    '-rf': 'x\n',
    'quote"d.txt': 'x\n',
    "it's.txt": 'x\n',
    'tab\there.txt': 'x\n',
    'line\nfeed.txt': 'x\n',
    'back\\slash.txt': 'x\n',
    'ä ö/ü.txt': 'x\n',
    'a b/b/x b/y': 'x\n',
    'new mode.sh': '#!/bin/sh\n',
    '.gitattributes': '*.txt text eol=crlf\n*.sh -diff\n',
    'large.txt': 'the same line again\n'.repeat(200_000),
    'latin1.txt': '',
  });
  await writeFile(join(root, 'latin1.txt'), Buffer.from([0x66, 0xfc, 0x72, 0x0a]));
  await rm(join(root, 'gone.txt'));
  await rename(join(root, 'moved from.txt'), join(root, 'moved to.txt'));
  await chmod(join(root, 'script.sh'), 0o755);
  await chmod(join(root, 'new mode.sh'), 0o755);
  await rm(join(root, 'to-link.txt'));
  await symlink('/etc/passwd', join(root, 'to-link.txt'));
  await rm(join(root, 'folder'), { recursive: true });
  await symlink('src', join(root, 'folder'));
  await rm(join(root, 'file-to-folder'));
  await writeFiles(root, { 'file-to-folder/x': 'x\n' });
  execFileSync('bash', ['-c', 'mkdir "$(printf "d\\377")" && echo x > "$(printf "d\\377/f\\376")"'], { cwd: root });
}

test('makes on another host the very commit that was made here, of every kind of change', async () => {
  await using it = await workspaceScratch(VARIED_FILES);
  const here = await it.prepare();
  await changeEverything(here.root);
  const head = await here.commit({ message: 'Ändere\n\n  alles\n', signal: never });
  if (head === null) throw new Error('nothing was committed');
  const there = await onAnotherHost(it, here.baseCommit);
  await there.restore(head, never);
  expect(await git(there, 'cat-file', 'commit', head.commit)).toBe(await git(here, 'cat-file', 'commit', head.commit));
  expect(await git(there, 'rev-parse', there.branch)).toBe(head.commit);
  expect((await there.diff(never)).head_commit).toBe(head.commit);
  expect(await there.files.list()).toEqual(await here.files.list());
  expect((await readFile(join(there.root, 'bin'))).equals(await readFile(join(here.root, 'bin')))).toBe(true);
  expect(await readFile(join(there.root, 'dos.txt'), 'utf8')).toBe('one\r\n2\r\nthree\n');
  expect((await stat(join(there.root, 'script.sh'))).mode & 0o111).toBe(0o111);
  expect(await readlink(join(there.root, 'to-link.txt'))).toBe('/etc/passwd');
  expect(told(await committed(there))).toEqual(told(head));
  await there.push(head.commit, never);
  expect(await plainGit(it.origin, 'rev-parse', there.branch)).toBe(head.commit);
  await here.push(head.commit, never);
});

test('keeps the same tree as the same commit, on every host, and a checkpoint is no commit for the branch', async () => {
  await using it = await workspaceScratch(VARIED_FILES);
  const here = await it.prepare();
  await changeEverything(here.root);
  const first = await kept(here);
  expect(told(await kept(here))).toEqual(told(first));
  const there = await onAnotherHost(it, here.baseCommit);
  await there.restore(first, never);
  expect(told(await kept(there))).toEqual(told(first));
  expect((await there.diff(never)).head_commit).toBeNull();
  const head = await committed(there);
  expect(head.commit).not.toBe(first.commit);
  expect(await git(there, 'show', '-s', '--format=%an %s', there.branch)).toBe('Sluice change');
});

test('keeps a tree without a trace in branch, index and files, and holds the newest alone', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  await workspace.files.write('src/add.js', 'one\n');
  await workspace.files.write('new.txt', 'new\n');
  const look = async (): Promise<string[]> => [
    await plainGit(workspace.root, 'status', '--porcelain=2', '--branch'),
    await plainGit(workspace.root, 'rev-parse', 'HEAD', workspace.branch),
    await plainGit(workspace.root, 'ls-files', '-s'),
  ];
  const before = await look();
  const first = await kept(workspace);
  expect(await look()).toEqual(before);
  await workspace.files.write('src/add.js', 'two\n');
  const second = await kept(workspace);
  const refs = await git(workspace, 'for-each-ref', '--format=%(refname) %(objectname)', 'refs/sluice/kept');
  expect(refs).toBe(`refs/sluice/kept/${workspace.issueId} ${second.commit}`);
  await workspace.restore(first, never);
  expect(await workspace.files.read('src/add.js')).toBe('one\n');
  await workspace.restore(second, never);
  expect(await workspace.files.read('src/add.js')).toBe('two\n');
  const entry = join(workspace.gitDir, 'worktrees', workspace.issueId);
  expect((await readdir(entry)).filter((name) => name.startsWith('sluice-index'))).toEqual([]);
});

test('keeps and restores a tree in which nothing has changed', async () => {
  await using it = await workspaceScratch();
  const here = await it.prepare();
  const checkpoint = await kept(here);
  expect(checkpoint.patch.length).toBe(0);
  const there = await onAnotherHost(it, here.baseCommit);
  await there.files.write('src/add.js', 'x\n');
  await there.restore(checkpoint, never);
  expect((await there.diff(never)).files).toEqual([]);
});

test('restores from the patch when a clean-up took a part of the commit', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  await workspace.files.write('src/add.js', 'kept\n');
  const checkpoint = await kept(workspace);
  const blob = await git(workspace, 'rev-parse', `${checkpoint.commit}:src/add.js`);
  await rm(join(workspace.gitDir, 'objects', blob.slice(0, 2), blob.slice(2)));
  await workspace.files.write('src/add.js', 'lost\n');
  await workspace.restore(checkpoint, never);
  expect(await workspace.files.read('src/add.js')).toBe('kept\n');
});

test('keeps no change that is too large, and commits it for this host alone', async () => {
  await using it = await workspaceScratch();
  const here = await it.prepare();
  await writeFile(join(here.root, 'noise.bin'), randomBytes(27 * 1024 * 1024));
  expect(await here.checkpoint(never)).toBeNull();
  const head = await committed(here);
  expect(head.patch.length).toBe(0);
  await here.reset(never);
  await here.restore(head, never);
  expect((await here.diff(never)).head_commit).toBe(head.commit);
  const there = await onAnotherHost(it, here.baseCommit);
  await expect(there.restore(head, never)).rejects.toMatchObject({ code: 'workspace_lost' });
});

test('refuses a checkpoint that is not what it says, and leaves the tree as it is', async () => {
  await using it = await workspaceScratch();
  const here = await it.prepare();
  await here.files.write('src/add.js', 'kept\n');
  const good = await kept(here);
  const tree = await git(here, 'rev-parse', `${good.commit}^{tree}`);
  await plainGit(it.origin, 'commit', '-q', '--allow-empty', '-m', 'later');
  const elsewhere = savedTreeObject(tree, await plainGit(it.origin, 'rev-parse', 'main'));
  const twoParents = good.object.replace(/^parent .*\n/m, (line) => line + line);
  const text = Buffer.from(good.patch).toString();
  const there = await onAnotherHost(it, here.baseCommit);
  await there.files.write('src/add.js', 'mine\n');
  const bad: Checkpoint[] = [
    { ...good, commit: 'f'.repeat(40) },
    { ...good, commit: '--help' },
    { ...good, object: `${good.object}x` },
    { ...good, object: '' },
    { ...good, object: elsewhere, commit: commitIdOf(elsewhere) },
    { ...good, object: twoParents, commit: commitIdOf(twoParents) },
    { ...good, patch: Buffer.alloc(0) },
    { ...good, patch: Buffer.from('no patch at all') },
    { ...good, patch: Buffer.from(text.replace('+kept', '+kept?')) },
    { ...good, patch: Buffer.from(text.slice(0, -10)) },
    { ...good, patch: Buffer.from(text.replaceAll('src/add.js', 'README.md')) },
    { ...good, patch: randomBytes(1_000) },
  ];
  for (const [index, checkpoint] of bad.entries()) {
    await expect(there.restore(checkpoint, never), `${index}`).rejects.toMatchObject({ code: 'workspace_lost' });
  }
  expect(await there.files.read('src/add.js')).toBe('mine\n');
  await there.restore(good, never);
  expect(await there.files.read('src/add.js')).toBe('kept\n');
});

function newFile(path: string, mode = '100644', text = 'evil'): string {
  return [
    `diff --git a/${path} b/${path}`,
    `new file mode ${mode}`,
    '--- /dev/null',
    `+++ b/${path}`,
    '@@ -0,0 +1 @@',
    `+${text}`,
    '',
  ].join('\n');
}

/** A checkpoint with an object that fits its patch, as far as git lets one be made. */
async function forged(workspace: Workspace, patch: string): Promise<Checkpoint> {
  const index = join(workspace.root, '..', `forged-${randomBytes(4).toString('hex')}`);
  const env = { ...process.env, GIT_INDEX_FILE: index, GIT_DIR: workspace.gitDir };
  const run = (args: string[], input = ''): string =>
    execFileSync('git', args, { env, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] }).trim();
  run(['read-tree', workspace.baseCommit]);
  try {
    run(['-c', 'core.protectNTFS=false', '-c', 'core.protectHFS=false', 'apply', '--cached', '-'], patch);
  } catch {
    // Refused by git itself: then any tree will do.
  }
  const object = savedTreeObject(run(['-c', 'core.protectNTFS=false', 'write-tree']), workspace.baseCommit);
  await rm(index, { force: true });
  return { commit: commitIdOf(object), object, patch: Buffer.from(patch) };
}

test.each([
  ['a path that leads out', newFile('../outside.txt')],
  ['a path from the root', newFile('/tmp/sluice-outside.txt')],
  ["git's own folder", newFile('.git/hooks/post-checkout', '100755')],
  ["git's own folder on other systems", newFile('.GIT/config')],
  ["git's own folder by its short name", newFile('git~1/config')],
  ['a file behind a link', newFile('out', '120000', '/tmp') + newFile('out/sluice-outside.txt')],
  ['a submodule', newFile('sub', '160000', `Subproject commit ${'1'.repeat(40)}`)],
])('refuses a checkpoint with %s', async (_what, patch) => {
  await using it = await workspaceScratch();
  const forger = await it.prepare({ issueId: newIssueId() });
  const checkpoint = await forged(forger, patch);
  const there = await onAnotherHost(it, forger.baseCommit);
  await expect(there.restore(checkpoint, never)).rejects.toMatchObject({
    code: expect.stringMatching(/^workspace_(lost|unsafe)$/),
  });
  expect(await there.files.list()).toEqual(['README.md', 'src/add.js']);
  await expect(stat('/tmp/sluice-outside.txt')).rejects.toThrow();
});

test('runs nothing that a patch asks for while it is applied', async () => {
  await using it = await workspaceScratch();
  const here = await it.prepare();
  await writeFiles(here.root, {
    '.gitattributes': '* filter=evil diff=evil merge=evil working-tree-encoding=UTF-16 text eol=crlf ident\n',
    'id.txt': '$Id$\n',
  });
  const checkpoint = await kept(here);
  const there = await onAnotherHost(it, here.baseCommit);
  await there.restore(checkpoint, never);
  expect(await readFile(join(there.root, 'id.txt'), 'utf8')).toBe('$Id$\n');
  expect(await kept(there)).toEqual(checkpoint);
});

test('finishes at the next start a restore that a kill interrupted', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  await workspace.files.write('src/add.js', 'kept\n');
  const checkpoint = await kept(workspace);
  await workspace.files.write('src/add.js', 'later\n');
  // As a killed restore leaves it: marked, and not yet done.
  await mkdir(join(workspace.root, 'half'));
  await writeFile(join(workspace.gitDir, 'worktrees', workspace.issueId, 'sluice-resetting'), checkpoint.commit);
  const again = await it.prepare({ baseCommit: workspace.baseCommit });
  expect(await again.files.read('src/add.js')).toBe('kept\n');
});
