import { scriptedHosts, until } from '@sluice/testing';
import { expect, test } from 'vitest';
import { startHttpOrigin } from '../git/test/http-origin.ts';
import { plainGit } from '../git/test/scratch.ts';
import { createBaseBranches } from './base-branches.ts';
import { forcePush, later, since } from './test/base-branches-scene.ts';
import {
  never,
  requester,
  type WorkspaceScratch,
  workspaceScratch,
  workspacesOptions,
} from './test/workspace-scratch.ts';

async function forget(it: WorkspaceScratch): Promise<void> {
  await plainGit(it.origin, 'reflog', 'expire', '--all', '--expire=now');
  await plainGit(it.origin, 'gc', '-q', '--prune=now');
}

test('returns the tip of the branch, and every path that differs', async () => {
  await using it = await workspaceScratch();
  const { baseCommit } = await it.prepare();
  expect(await since(it, baseCommit)).toEqual({ tip: baseCommit, changed: [] });
  await plainGit(it.origin, 'mv', 'README.md', 'READ ME.md');
  const tip = await later(it, { 'src/add.js': 'theirs\n', 'ä\n.txt': 'new\n', 'a.txt': 'new\n' });
  expect(await since(it, baseCommit)).toEqual({
    tip,
    changed: ['READ ME.md', 'README.md', 'a.txt', 'src/add.js', 'ä\n.txt'],
  });
});

test('names no path of a commit that came and went', async () => {
  await using it = await workspaceScratch();
  const { baseCommit } = await it.prepare();
  await later(it, { 'src/add.js': 'theirs\n' });
  await plainGit(it.origin, 'revert', '--no-edit', 'HEAD');
  const tip = await plainGit(it.origin, 'rev-parse', 'HEAD');
  expect(await since(it, baseCommit)).toEqual({ tip, changed: [] });
});

test('compares with a base that was force-pushed away, as long as a clone or the remote has it', async () => {
  await using it = await workspaceScratch();
  const { baseCommit } = await it.prepare();
  const tip = await forcePush(it);
  const root = it.scratch.join('another-host');
  const expected = { tip, changed: ['src/add.js'] };
  expect(await since(it, baseCommit, { root })).toEqual(expected);
  await forget(it);
  expect(await since(it, baseCommit)).toEqual(expected);
});

test('says that a base is gone everywhere', async () => {
  await using it = await workspaceScratch();
  const { baseCommit } = await it.prepare();
  await forcePush(it);
  await forget(it);
  const root = it.scratch.join('another-host');
  await expect(since(it, baseCommit, { root })).rejects.toMatchObject({
    code: 'base_branch_missing',
    message: expect.stringContaining(baseCommit.slice(0, 12)),
  });
});

test('says that the branch is gone', async () => {
  await using it = await workspaceScratch();
  const { baseCommit } = await it.prepare();
  await plainGit(it.origin, 'branch', '-M', 'renamed');
  const gone = { code: 'base_branch_missing', message: expect.stringContaining('"main"') };
  await expect(since(it, baseCommit)).rejects.toMatchObject(gone);
  await expect(since(it, baseCommit, { branch: '--upload-pack=x' })).rejects.toMatchObject({
    code: 'base_branch_missing',
  });
  await expect(since(it, '--output=/tmp/x')).rejects.toMatchObject({ code: 'base_branch_missing' });
});

test('gives the token to the remote, checks its address, and ends at a cancel', async () => {
  await using it = await workspaceScratch();
  await using origin = await startHttpOrigin({ root: it.scratch.path, token: 'tok-1' });
  const baseCommit = await plainGit(it.origin, 'rev-parse', 'HEAD');
  const policy = { allowInsecureHttp: true, hosts: scriptedHosts(() => ['127.0.0.1']) };
  const { repo } = requester(`http://pinned.invalid:${origin.port}/origin/.git`)();
  const request = { repo: { ...repo, token: async () => 'tok-1' }, branch: 'main', baseCommit, signal: never };
  await expect(createBaseBranches(workspacesOptions(it.root, policy)).since(request)).rejects.toMatchObject({
    code: 'remote_refused',
  });
  expect(origin.requests).toEqual([]);
  const bases = createBaseBranches(workspacesOptions(it.root, { ...policy, allowPrivateHosts: true }));
  expect(await bases.since(request)).toEqual({ tip: baseCommit, changed: [] });
  origin.stall();
  const before = origin.requests.length;
  const cancel = new AbortController();
  const reason = new Error('cancelled');
  const stalled = bases.since({ ...request, signal: cancel.signal });
  stalled.catch(() => undefined);
  await until('the fetch hangs', () => origin.requests.length > before);
  cancel.abort(reason);
  await expect(stalled).rejects.toBe(reason);
});

test('lets an issue follow its base: discarded, it starts from the tip', async () => {
  await using it = await workspaceScratch();
  const first = await it.prepare();
  await first.files.write('src/add.js', 'ours\n');
  await first.checkpoint(never);
  await first.commit({ message: 'ours', signal: never });
  await later(it, { 'src/add.js': 'theirs\n' });
  const { tip } = await since(it, first.baseCommit);
  await it.workspaces.discard(first.issueId);
  const second = await it.prepare({ baseCommit: tip });
  expect([second.baseCommit, second.treeId === first.treeId]).toEqual([tip, false]);
  expect(await second.files.read('src/add.js')).toBe('theirs\n');
  expect((await second.diff(never)).files).toEqual([]);
  await it.workspaces.settled();
  await second.files.write('src/add.js', 'ours again\n');
  const head = await second.commit({ message: 'ours again', signal: never });
  await second.push(head?.commit ?? '', never);
  expect(await plainGit(it.origin, 'rev-parse', `${second.branch}^`)).toBe(tip);
});
