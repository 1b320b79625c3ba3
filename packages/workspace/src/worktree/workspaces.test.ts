import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RepoId } from '@sluice/core/id';
import { scriptedHosts, until } from '@sluice/testing';
import { expect, test } from 'vitest';
import { startHttpOrigin } from '../git/test/http-origin.ts';
import { plainGit, SAMPLE_FILES, writeFiles } from '../git/test/scratch.ts';
import { createBaseBranches } from './base-branches.ts';
import {
  committed,
  never,
  newIssueId,
  requester,
  workspaceScratch,
  workspacesOptions,
} from './test/workspace-scratch.ts';
import { sandboxUidFor } from './tree-owner.ts';
import { createWorkspaces } from './workspaces.ts';

const asRoot = process.getuid?.() === 0;

test('starts from the tip of the base branch as it is now, and stays there', async () => {
  await using it = await workspaceScratch();
  const first = await it.prepare();
  expect(first.baseCommit).toBe(await plainGit(it.origin, 'rev-parse', 'main'));
  for (const path of ['', 'src']) expect((await stat(join(first.root, path))).mode & 0o2000, path).toBe(0);
  await plainGit(it.origin, 'commit', '-q', '--allow-empty', '-m', 'later');
  const later = await it.prepare({ issueId: newIssueId() });
  expect(later.baseCommit).toBe(await plainGit(it.origin, 'rev-parse', 'main'));
  expect((await it.prepare({ baseCommit: first.baseCommit })).baseCommit).toBe(first.baseCommit);
});

test('leaves an index that knows every file, so that a later look reads none of them', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  const unsure = (): Promise<string> => plainGit(workspace.root, 'diff-files', '--name-only');
  expect(await unsure()).toBe('');
  await it.prepare({ baseCommit: workspace.baseCommit });
  expect(await unsure()).toBe('');
  await workspace.files.write('README.md', 'x\n');
  await workspace.reset(never);
  expect(await unsure()).toBe('');
});

test('makes its folders again when somebody removed all of them, and goes on', async () => {
  await using it = await workspaceScratch();
  const bases = createBaseBranches(workspacesOptions(it.root));
  const { repo, baseBranch: branch } = it.request();
  const { baseCommit } = await it.prepare();
  const since = () => bases.since({ repo, branch, baseCommit, signal: never });
  expect(await since()).toEqual({ tip: baseCommit, changed: [] });
  await rm(it.root, { recursive: true });
  expect(await it.workspaces.list()).toEqual([]);
  expect(await since()).toEqual({ tip: baseCommit, changed: [] });
  await rm(it.root, { recursive: true });
  expect((await it.prepare({ baseCommit })).baseCommit).toBe(baseCommit);
  expect((await stat(it.root)).mode & 0o777).toBe(0o700);
});

test('needs no network to go on from a commit that it has', async () => {
  await using it = await workspaceScratch();
  const { baseCommit } = await it.prepare();
  const { repo } = it.request();
  const away = { ...repo, url: it.scratch.join('moved-away') };
  expect((await it.prepare({ baseCommit, repo: away })).baseCommit).toBe(baseCommit);
  await expect(it.prepare({ repo: away })).rejects.toMatchObject({ code: 'remote_not_found', retry: false });
});

test('checks the address again before every call, and refuses one that has become private', async () => {
  await using it = await workspaceScratch();
  await using origin = await startHttpOrigin({ root: it.scratch.path, token: null });
  const workspaces = createWorkspaces(
    workspacesOptions(it.root, { allowInsecureHttp: true, hosts: scriptedHosts(() => ['127.0.0.1']) }),
  );
  const request = requester(`http://rebound.invalid:${origin.port}/origin/.git`)();
  await expect(workspaces.prepare(request)).rejects.toMatchObject({ code: 'remote_refused' });
  expect(origin.requests).toEqual([]);
});

test.each(['nope', '-x', 'a..b', 'a b'])('says that there is no base branch %j', async (baseBranch) => {
  await using it = await workspaceScratch();
  await expect(it.prepare({ baseBranch })).rejects.toMatchObject({ code: 'base_branch_missing' });
});

test('says that the commit it started from is gone', async () => {
  await using it = await workspaceScratch();
  await expect(it.prepare({ baseCommit: 'a'.repeat(40) })).rejects.toMatchObject({ code: 'base_branch_missing' });
});

test('lets two issues work on one clone without seeing each other', async () => {
  await using it = await workspaceScratch();
  const issues = await Promise.all([it.prepare(), it.prepare({ issueId: newIssueId() })]);
  const heads = await Promise.all(
    issues.map(async (workspace, n) => {
      for (let round = 0; round < 5; round += 1) {
        await workspace.files.write('src/add.js', `${n} ${round}\n`);
        await workspace.diff(never);
        await workspace.commit({ message: `round ${round}`, signal: never });
      }
      const head = await workspace.commit({ message: 'again', signal: never });
      await workspace.push(head?.commit ?? '', never);
      return head?.commit;
    }),
  );
  for (const [n, workspace] of issues.entries()) {
    expect(await plainGit(it.origin, 'show', `${workspace.branch}:src/add.js`)).toBe(`${n} 4`);
    expect(await plainGit(it.origin, 'rev-parse', workspace.branch)).toBe(heads[n]);
  }
});

test('keeps our own branches when it fetches', async () => {
  await using it = await workspaceScratch();
  const first = await it.prepare();
  await first.files.write('new.txt', 'x\n');
  const head = await first.commit({ message: 'x', signal: never });
  await it.prepare({ issueId: newIssueId() });
  expect(await plainGit(first.gitDir, 'rev-parse', `refs/heads/${first.branch}`)).toBe(head?.commit);
});

test('writes no file that git ignores, unless it tracks it', async () => {
  await using it = await workspaceScratch({
    ...SAMPLE_FILES,
    '.gitignore': 'made/\n*.log\n!keep.log\n',
    'made/old.js': '1\n',
  });
  const { files } = await it.prepare();
  const paths = ['made/new.js', './a.log', 'keep.log', 'made/old.js', 'src/new.js', 'node_modules/x.js', '../out.js'];
  expect(await files.ignored(paths)).toEqual(['made/new.js', './a.log', 'node_modules/x.js']);
  expect(await files.ignored([])).toEqual([]);
  await expect(files.write('made/new.js', '2\n')).rejects.toMatchObject({
    code: 'tool_refused',
    message: expect.stringContaining('git ignores it, so it would not be in the change'),
  });
  await files.write('made/old.js', '2\n');
  await files.write('keep.log', '2\n');
});

test('shows the whole change, with new, deleted, binary and oddly named files, and not what is ignored', async () => {
  await using it = await workspaceScratch({ ...SAMPLE_FILES, '.gitignore': 'build/\n' });
  const workspace = await it.prepare();
  await writeFiles(workspace.root, {
    'build/out.js': 'made\n',
    'node_modules/x/index.js': 'installed\n',
    '__pycache__/x.pyc': 'made\n',
    'ä ö.txt': 'new\n',
    'src/add.js': 'export const add = (a, b) => a + b;\n',
  });
  await writeFile(join(workspace.root, 'logo.bin'), Buffer.from([0, 1, 2, 255]));
  await workspace.files.remove('README.md');
  const { files, diff, base_commit, head_commit } = await workspace.diff(never);
  expect({ base_commit, head_commit }).toEqual({ base_commit: workspace.baseCommit, head_commit: null });
  expect(files).toEqual([
    { path: 'README.md', additions: 0, deletions: 1 },
    { path: 'logo.bin', additions: 0, deletions: 0 },
    { path: 'src/add.js', additions: 1, deletions: 1 },
    { path: 'ä ö.txt', additions: 1, deletions: 0 },
  ]);
  expect(diff).toContain('+export const add = (a, b) => a + b;');
  expect(diff).toContain('Binary files');
  expect(await workspace.files.list()).toEqual(['.gitignore', 'logo.bin', 'src/add.js', 'ä ö.txt']);
  const head = await workspace.commit({ message: 'change', signal: never });
  expect((await workspace.diff(never)).head_commit).toBe(head?.commit);
  expect(
    (await plainGit(workspace.gitDir, 'ls-tree', '-r', '--name-only', '-z', head?.commit ?? '')).split('\0'),
  ).not.toContain('build/out.js');
  await workspace.files.write('src/add.js', 'again\n');
  expect((await workspace.diff(never)).head_commit).toBeNull();
});

test('takes every file as its blob is, whatever form the attributes ask for', async () => {
  await using it = await workspaceScratch({
    ...SAMPLE_FILES,
    'dos.txt': 'a\r\nb\r\n',
    'unix.bat': 'a\nb\n',
    'old.c': '$Id: old $\n',
    'wide.rc': 'wide\n',
  });
  const attributes = ['*.txt text', '*.bat text eol=crlf', '*.c ident', '*.rc working-tree-encoding=UTF-16', ''];
  await writeFiles(it.origin, { '.gitattributes': attributes.join('\n') });
  await plainGit(it.origin, 'add', '.gitattributes');
  await plainGit(it.origin, 'commit', '-q', '-m', 'attributes that came after the files');
  // Plain git reports an unchanged file as changed once it reads its content.
  await plainGit(it.scratch.path, 'clone', '-q', it.origin, 'plain');
  await utimes(it.scratch.join('plain', 'dos.txt'), 0, 0);
  expect(await plainGit(it.scratch.join('plain'), 'status', '--porcelain')).not.toBe('');
  const workspace = await it.prepare();
  expect((await workspace.diff(never)).files).toEqual([]);
  await workspace.files.write('dos.txt', 'a\r\nc\r\n');
  await workspace.files.write('wide.rc', 'wider\n');
  expect((await workspace.diff(never)).files).toEqual([
    { path: 'dos.txt', additions: 1, deletions: 1 },
    { path: 'wide.rc', additions: 1, deletions: 1 },
  ]);
});

test('shows a change whose content the repository wants hidden', async () => {
  await using it = await workspaceScratch({ ...SAMPLE_FILES, '.gitattributes': '*.js -diff\n' });
  const workspace = await it.prepare();
  await workspace.files.write('src/add.js', 'shown\n');
  const { files, diff } = await workspace.diff(never);
  expect([files, diff]).toEqual([
    [{ path: 'src/add.js', additions: 1, deletions: 1 }],
    expect.stringContaining('+shown'),
  ]);
});

test('cuts a patch that is too large between files, and still lists them all', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  for (const name of ['a', 'b', 'c'])
    await writeFile(join(workspace.root, name), 'x'.repeat(99).concat('\n').repeat(20_000));
  const { files, diff } = await workspace.diff(never);
  expect(files.map(({ additions }) => additions)).toEqual([20_000, 20_000, 20_000]);
  expect(diff).toMatch(/# The rest is not shown: the patch is larger than 4 MiB\.\n$/);
  expect(diff.match(/^diff --git /gm)).toHaveLength(2);
});

test('makes one commit for one change, and none for no change', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  expect(await workspace.commit({ message: 'nothing', signal: never })).toBeNull();
  await workspace.files.write('new.txt', 'x\n');
  const head = await workspace.commit({ message: 'Add\n\nIssue: 1\n', signal: never });
  expect(await workspace.commit({ message: 'Other words', signal: never })).toEqual(head);
  const again = await it.prepare({ baseCommit: workspace.baseCommit });
  expect(await again.commit({ message: 'After a restart', signal: never })).toEqual(head);
  const shown = await plainGit(workspace.gitDir, 'show', '-s', '--format=%P|%an|%ae|%cn|%ce|%B', head?.commit ?? '');
  expect(shown).toBe(`${workspace.baseCommit}|Sluice|sluice@example.com|Sluice|sluice@example.com|Add\n\nIssue: 1`);
  await workspace.reset(never);
  expect(await workspace.commit({ message: 'nothing', signal: never })).toBeNull();
});

test('restores exactly a commit, whatever a test run did, and keeps what is ignored', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  await workspace.files.write('new/a.txt', 'a\n');
  const head = await committed(workspace);
  await writeFiles(workspace.root, { junk: 'x', 'src/add.js': 'broken\n', 'node_modules/x.js': 'kept\n' });
  await workspace.files.remove('README.md');
  await chmod(join(workspace.root, 'new/a.txt'), 0o755);
  await workspace.restore(head, never);
  expect(await workspace.files.list()).toEqual(['README.md', 'new/a.txt', 'src/add.js']);
  const { head_commit } = await workspace.diff(never);
  expect(head_commit).toBe(head.commit);
  expect(await readFile(join(workspace.root, 'node_modules/x.js'), 'utf8')).toBe('kept\n');
  await workspace.reset(never);
  expect(await workspace.files.list()).toEqual(['README.md', 'src/add.js']);
  expect((await workspace.diff(never)).files).toEqual([]);
});

test("gives the base's files as blobs, in order, and lets a reader stop early", async () => {
  await using it = await workspaceScratch();
  await writeFile(join(it.origin, 'bin'), Buffer.from([0, 10, 255, 10]));
  await plainGit(it.origin, 'add', '-A');
  await plainGit(it.origin, 'commit', '-q', '-m', 'binary');
  const workspace = await it.prepare();
  const blobs = await workspace.blobs(never);
  expect(blobs.map(({ path, bytes }) => [path, bytes])).toEqual([
    ['README.md', 9],
    ['bin', 4],
    ['src/add.js', 36],
  ]);
  const read: Buffer[] = [];
  const ids = blobs.map(({ blob }) => blob);
  for await (const { content } of workspace.readBlobs([...ids, ...ids], never)) read.push(content);
  expect(read).toHaveLength(6);
  expect([read[0]?.toString(), read[1], read[5]?.length]).toEqual(['# Sample\n', Buffer.from([0, 10, 255, 10]), 36]);
  for await (const { blob } of workspace.readBlobs(ids, never)) {
    expect(blob).toBe(ids[0]);
    break;
  }
  const odd = workspace.readBlobs(['--batch-all-objects'], never)[Symbol.asyncIterator]();
  await expect(odd.next()).rejects.toThrow(/id that is not valid/);
});

test('takes a tree away at once, also one that locks itself, and knows nothing of unknown issues', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  await mkdir(join(workspace.root, 'locked/deep'), { recursive: true });
  await chmod(join(workspace.root, 'locked'), 0o000);
  await chmod(workspace.root, 0o500);
  await it.workspaces.discard(workspace.issueId);
  expect(await it.workspaces.list()).toEqual([]);
  for (const unknown of [workspace.issueId, newIssueId(), '..', '../caches', '']) await it.workspaces.discard(unknown);
  await it.workspaces.settled();
  expect(await readdir(join(it.root, 'trash'))).toEqual([]);
  expect(await readdir(join(workspace.gitDir, 'worktrees')).catch(() => [])).toEqual([]);
  const again = await it.prepare();
  expect(await again.files.list()).toEqual(['README.md', 'src/add.js']);
});

test('leaves nothing of a discarded issue in the clone, and all of another one', async () => {
  await using it = await workspaceScratch();
  const [gone, kept] = [await it.prepare(), await it.prepare({ issueId: newIssueId(), branch: 'sluice/kept' })];
  for (const workspace of [gone, kept]) {
    await workspace.files.write('src/add.js', `changed for ${workspace.branch}\n`);
    await workspace.commit({ message: 'change', signal: never });
    await workspace.checkpoint(never);
  }
  await it.workspaces.discard(gone.issueId);
  await it.workspaces.settled();
  const refs = execFileSync('git', ['--git-dir', kept.gitDir, 'for-each-ref', '--format=%(refname)'], {
    encoding: 'utf8',
  });
  expect(refs).not.toContain(gone.issueId);
  expect(refs).not.toContain(gone.branch);
  expect(refs).toContain(`refs/sluice/made/${kept.issueId}/`);
  expect(refs).toContain(`refs/sluice/kept/${kept.issueId}`);
  expect(refs).toContain('refs/heads/sluice/kept');
});

test('gives a tree an id, which changes when the tree is recreated', async () => {
  await using it = await workspaceScratch();
  const first = await it.prepare();
  await first.files.write('src/add.js', 'changed\n');
  await first.reset(never);
  expect((await it.prepare()).treeId).toBe(first.treeId);
  expect((await it.prepare({ issueId: newIssueId() })).treeId).not.toBe(first.treeId);
  await rm(first.root, { recursive: true });
  const second = await it.prepare();
  expect(second.treeId).not.toBe(first.treeId);
  await rm(second.gitDir, { recursive: true });
  expect((await it.prepare()).treeId).not.toBe(second.treeId);
});

test('lists an issue until nothing of it is left, also one whose tree was never made', async () => {
  await using it = await workspaceScratch();
  const issueId = newIssueId();
  const release = await it.workspaces.hold(issueId, never);
  release();
  expect(await it.workspaces.list()).toEqual([issueId]);
  await it.workspaces.discard(issueId);
  expect(await it.workspaces.list()).toEqual([]);
  expect(await readdir(join(it.root, 'locks'))).toEqual([]);
});

test('sweeps at its start what an earlier process could not delete', async () => {
  await using it = await workspaceScratch();
  await writeFiles(join(it.root, 'trash/left'), { 'a/b': 'x' });
  await it.workspaces.list();
  await it.workspaces.settled();
  expect(await readdir(join(it.root, 'trash'))).toEqual([]);
});

test('forgets a clone', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  expect(await it.workspaces.clones()).toEqual([workspace.repoId]);
  await it.workspaces.discard(workspace.issueId);
  await it.workspaces.forget(workspace.repoId);
  await it.workspaces.forget(randomUUID() as RepoId);
  expect(await readdir(join(it.root, 'caches'))).toEqual([]);
  expect(await it.workspaces.clones()).toEqual([]);
});

test('stops a clone when cancelled, and leaves nothing of it', async () => {
  await using it = await workspaceScratch();
  await using origin = await startHttpOrigin({ root: it.scratch.path, token: null });
  origin.stall();
  const options = { allowPrivateHosts: true, allowInsecureHttp: true };
  const workspaces = createWorkspaces(workspacesOptions(it.root, options));
  const cancel = new AbortController();
  const request = requester(`http://127.0.0.1:${origin.port}/origin/.git`)({ signal: cancel.signal });
  const prepare = workspaces.prepare(request);
  prepare.catch(() => undefined);
  await until('the clone hangs', () => origin.requests.some(({ url }) => url.endsWith('upload-pack')));
  const reason = new Error('cancelled');
  cancel.abort(reason);
  await expect(prepare).rejects.toBe(reason);
  await workspaces.settled();
  expect([await readdir(join(it.root, 'caches')), await readdir(join(it.root, 'unfinished'))]).toEqual([[], []]);
});

test('gives every issue a user of its own, the same each time', () => {
  const [one, other] = [newIssueId(), newIssueId()];
  expect(sandboxUidFor(one)).toBe(sandboxUidFor(one));
  if (asRoot) {
    expect(sandboxUidFor(one)).not.toBe(sandboxUidFor(other));
    expect(sandboxUidFor(one)).toBeGreaterThanOrEqual(200_000);
  } else expect(sandboxUidFor(one)).toBeNull();
});

test.runIf(asRoot)("gives the whole tree but .git to the issue's user, also after a restore", async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  const uid = sandboxUidFor(workspace.issueId);
  await workspace.files.write('src/new/x.js', 'x\n');
  await workspace.files.write('README.md', 'x\n');
  await workspace.reset(never);
  for (const path of ['', 'src', 'src/add.js', 'README.md']) {
    expect((await stat(join(workspace.root, path))).uid, path).toBe(uid);
  }
  expect((await stat(join(workspace.root, '.git'))).uid).toBe(0);
});

test('enters its folder alone', async () => {
  await using it = await workspaceScratch();
  await it.prepare();
  expect((await stat(it.root)).mode & 0o777).toBe(0o700);
});
