import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plainGit, writeFiles } from '../../src/git/test/scratch.ts';
import { committed, never, newIssueId, workspaceScratch } from '../../src/worktree/test/workspace-scratch.ts';

// Usual way: packages/workspace/src/worktree/workspaces.test.ts

test('prepares 24 issues of one repository at once', async () => {
  await using it = await workspaceScratch();
  const prepared = await Promise.all(Array.from({ length: 24 }, () => it.prepare({ issueId: newIssueId() })));
  expect(await it.workspaces.list()).toEqual(prepared.map(({ issueId }) => issueId).sort());
  for (const workspace of prepared) expect(await plainGit(workspace.root, 'status', '--porcelain')).toBe('');
});

test('prepares an issue again while its discarded tree is still being deleted', async () => {
  await using it = await workspaceScratch();
  for (let round = 0; round < 5; round += 1) {
    const workspace = await it.prepare();
    await workspace.files.write('new.txt', 'x\n');
    await it.workspaces.discard(workspace.issueId);
  }
  const workspace = await it.prepare();
  await it.workspaces.settled();
  expect((await workspace.diff(never)).files).toEqual([]);
});

test('packs a clone that has grown, and keeps every branch and snapshot of its issues', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  await workspace.files.write('new.txt', 'x\n');
  const head = await committed(workspace);
  const files = Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`many/${n}`, `${n}`]));
  await writeFiles(workspace.root, files);
  await workspace.diff(never);
  const loose = async (): Promise<number> =>
    (await readdir(join(workspace.gitDir, 'objects/17')).catch(() => [])).length;
  expect(await loose()).toBeGreaterThan(26);
  await it.prepare({ issueId: newIssueId() });
  expect((await readdir(join(workspace.gitDir, 'objects/pack'))).some((name) => name.endsWith('.pack'))).toBe(true);
  await workspace.restore(head, never);
  expect(await workspace.files.read('new.txt')).toBe('x\n');
});
