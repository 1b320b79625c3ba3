import { rm } from 'node:fs/promises';
import type { BaseBranches } from '@sluice/core';
import { scriptedHosts, until } from '@sluice/testing';
import { expect, test } from 'vitest';
import { startHttpOrigin } from '../git/test/http-origin.ts';
import { plainGit, writeFiles } from '../git/test/scratch.ts';
import { createBaseBranches } from './base-branches.ts';
import {
  never,
  requester,
  type WorkspaceScratch,
  workspaceScratch,
  workspacesOptions,
} from './test/workspace-scratch.ts';
import { createWorkspaces } from './workspaces.ts';

type Since = Parameters<BaseBranches['since']>[0];

/** In the folder of the workspaces, by default. */
function since(it: WorkspaceScratch, baseCommit: string, changes: Partial<Since> & { root?: string } = {}) {
  const { root = it.root, ...request } = changes;
  const { repo } = it.request();
  const bases = createBaseBranches(workspacesOptions(root));
  return bases.since({ repo, branch: 'main', baseCommit, signal: never, ...request });
}

async function later(it: WorkspaceScratch, files: Record<string, string>): Promise<string> {
  await writeFiles(it.origin, files);
  await plainGit(it.origin, 'add', '-A');
  await plainGit(it.origin, 'commit', '-q', '-m', 'later');
  return plainGit(it.origin, 'rev-parse', 'HEAD');
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

test('makes a clone that is not there yet', async () => {
  await using it = await workspaceScratch();
  const baseCommit = await plainGit(it.origin, 'rev-parse', 'HEAD');
  const tip = await later(it, { 'src/add.js': 'theirs\n' });
  expect(await since(it, baseCommit)).toEqual({ tip, changed: ['src/add.js'] });
  expect(await it.workspaces.clones()).toEqual([it.request().repo.repoId]);
});

/** The branch loses its commit and gets another one beside it. */
async function forcePush(it: WorkspaceScratch): Promise<string> {
  await plainGit(it.origin, 'checkout', '-q', '--orphan', 'other');
  const tip = await later(it, { 'src/add.js': 'theirs\n' });
  await plainGit(it.origin, 'branch', '-M', 'main');
  return tip;
}

async function forget(it: WorkspaceScratch): Promise<void> {
  await plainGit(it.origin, 'reflog', 'expire', '--all', '--expire=now');
  await plainGit(it.origin, 'gc', '-q', '--prune=now');
}

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

test('prepares on another host from a base that was force-pushed away', async () => {
  await using it = await workspaceScratch();
  const { baseCommit } = await it.prepare();
  await forcePush(it);
  const there = await createWorkspaces(workspacesOptions(it.scratch.join('there'))).prepare(it.request({ baseCommit }));
  expect(await there.files.read('src/add.js')).toBe('export const add = (a, b) => a - b;\n');
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

test('says that the remote is gone, with and without a clone', async () => {
  await using it = await workspaceScratch();
  const { baseCommit } = await it.prepare();
  await rm(it.origin, { recursive: true });
  await expect(since(it, baseCommit)).rejects.toMatchObject({ code: 'remote_not_found' });
  await expect(since(it, baseCommit, { root: it.scratch.join('fresh') })).rejects.toMatchObject({
    code: 'remote_not_found',
  });
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
