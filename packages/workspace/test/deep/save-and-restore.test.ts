import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Checkpoint, Workspace } from '@sluice/core/workspace';
import { expect, test } from 'vitest';
import { writeFiles } from '../../src/git/test/scratch.ts';
import { commitIdOf, savedTreeObject } from '../../src/worktree/commit-object.ts';
import {
  changeEverything,
  comparable,
  git,
  kept,
  onAnotherHost,
  VARIED_FILES,
} from '../../src/worktree/test/save-and-restore-scene.ts';
import { committed, never, newIssueId, workspaceScratch } from '../../src/worktree/test/workspace-scratch.ts';

// Usual way: packages/workspace/src/worktree/save-and-restore.test.ts

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

test('keeps the same tree as the same commit, on every host, and a checkpoint is no commit for the branch', async () => {
  await using it = await workspaceScratch(VARIED_FILES);
  const here = await it.prepare();
  await changeEverything(here.root);
  const first = await kept(here);
  expect(comparable(await kept(here))).toEqual(comparable(first));
  const there = await onAnotherHost(it, here.baseCommit);
  await there.restore(first, never);
  expect(comparable(await kept(there))).toEqual(comparable(first));
  expect((await there.diff(never)).head_commit).toBeNull();
  const head = await committed(there);
  expect(head.commit).not.toBe(first.commit);
  expect(await git(there, 'show', '-s', '--format=%an %s', there.branch)).toBe('Sluice change');
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
