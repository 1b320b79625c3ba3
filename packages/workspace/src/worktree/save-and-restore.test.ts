import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Checkpoint } from '@sluice/core/workspace';
import { expect, test } from 'vitest';
import { plainGit } from '../git/test/scratch.ts';
import { commitIdOf, savedTreeObject } from './commit-object.ts';
import { changeEverything, comparable, git, kept, onAnotherHost, VARIED_FILES } from './test/save-and-restore-scene.ts';
import { committed, never, workspaceScratch } from './test/workspace-scratch.ts';

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
  expect(comparable(await committed(there))).toEqual(comparable(head));
  await there.push(head.commit, never);
  expect(await plainGit(it.origin, 'rev-parse', there.branch)).toBe(head.commit);
  await here.push(head.commit, never);
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

test('finishes at the next start a restore that a kill interrupted', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  await workspace.files.write('src/add.js', 'kept\n');
  const checkpoint = await kept(workspace);
  await workspace.files.write('src/add.js', 'later\n');
  // A killed restore leaves this behind: marked, and not yet done.
  await mkdir(join(workspace.root, 'half'));
  await writeFile(join(workspace.gitDir, 'worktrees', workspace.issueId, 'sluice-resetting'), checkpoint.commit);
  const again = await it.prepare({ baseCommit: workspace.baseCommit });
  expect(await again.files.read('src/add.js')).toBe('kept\n');
});
