import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plainGit, scratchRepository, writeFiles } from '../git/test/scratch.ts';
import { committed, overHttp } from './test/push-branch-scene.ts';
import { never, newIssueId, workspaceScratch, workspacesOptions } from './test/workspace-scratch.ts';
import { createWorkspaces } from './workspaces.ts';

test('leaves the working tree, the index and the current branch of a local repository untouched', async () => {
  await using it = await workspaceScratch();
  await writeFiles(it.origin, { 'src/add.js': 'unsaved work\n', 'untracked.txt': 'mine\n' });
  await plainGit(it.origin, 'add', 'untracked.txt');
  const look = async (): Promise<string[]> => [
    await plainGit(it.origin, 'status', '--porcelain=2', '--branch'),
    await readFile(join(it.origin, '.git/HEAD'), 'utf8'),
    await plainGit(it.origin, 'rev-parse', 'main'),
    await readFile(join(it.origin, 'src/add.js'), 'utf8'),
    await plainGit(it.origin, 'stash', 'list'),
    await readFile(join(it.origin, '.git/config'), 'utf8'),
  ];
  const before = await look();
  const workspace = await it.prepare();
  const head = await committed(workspace, 'ours\n');
  await workspace.push(head, never);
  expect(await look()).toEqual(before);
  expect(await plainGit(it.origin, 'rev-parse', workspace.branch)).toBe(head);
  expect(await plainGit(it.origin, 'log', '--format=%an <%ae> %cn %s', `main..${workspace.branch}`)).toBe(
    'Sluice <sluice@example.com> Sluice change',
  );
});

test('refuses to push over the branch that is checked out in a local repository', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  await workspace.push(await committed(workspace, 'one\n'), never);
  await plainGit(it.origin, 'checkout', '-q', workspace.branch);
  const push = workspace.push(await committed(workspace, 'two\n'), never);
  await expect(push).rejects.toMatchObject({ code: 'push_rejected', message: expect.stringContaining('checked out') });
  expect(await readFile(join(it.origin, 'src/add.js'), 'utf8')).toBe('one\n');
});

test('says what stands in the way of the branch, where it is no branch of that name', async () => {
  await using it = await workspaceScratch();
  await plainGit(it.origin, 'branch', 'sluice');
  const workspace = await it.prepare();
  const head = await committed(workspace, 'ours\n');
  await expect(workspace.push(head, never)).rejects.toMatchObject({
    code: 'push_rejected',
    message: expect.stringContaining("'refs/heads/sluice' exists"),
  });
});

test('runs no hook or command that a local repository configures', async () => {
  await using it = await workspaceScratch();
  const lender = await scratchRepository(it.scratch.join('lender'));
  await writeFile(join(it.origin, '.git/objects/info/alternates'), `${lender}/.git/objects\n`);
  const trap = it.scratch.join('trap.sh');
  await writeFile(trap, `#!/bin/sh\ntouch ${it.scratch.join('canary')}\n`);
  await chmod(trap, 0o755);
  await plainGit(it.origin, 'config', 'core.alternateRefsCommand', trap);
  await plainGit(it.origin, 'config', 'core.fsmonitor', trap);
  const workspace = await it.prepare();
  for (const hook of [
    'pre-receive',
    'update',
    'post-receive',
    'post-update',
    'reference-transaction',
    'proc-receive',
  ]) {
    await writeFile(join(it.origin, '.git/hooks', hook), await readFile(trap));
    await chmod(join(it.origin, '.git/hooks', hook), 0o755);
  }
  await workspace.push(await committed(workspace, 'ours\n'), never);
  await expect(readFile(it.scratch.join('canary'))).rejects.toThrow();
});

test('does nothing when the commit is there already', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  const head = await committed(workspace, 'ours\n');
  await workspace.push(head, never);
  const log = await plainGit(it.origin, 'rev-list', '--all', '--count');
  await workspace.push(head, never);
  expect(await committed(workspace, 'ours\n')).toBe(head);
  await workspace.push(head, never);
  expect(await plainGit(it.origin, 'rev-list', '--all', '--count')).toBe(log);
});

test('replaces a commit of its own', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  await workspace.push(await committed(workspace, 'one\n'), never);
  const second = await committed(workspace, 'two\n');
  await workspace.push(second, never);
  expect(await plainGit(it.origin, 'rev-parse', workspace.branch)).toBe(second);
  expect(await plainGit(it.origin, 'rev-list', '--count', `main..${workspace.branch}`)).toBe('1');
});

test('never pushes over the commits of somebody else', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  await plainGit(it.origin, 'checkout', '-q', '-b', workspace.branch);
  await plainGit(it.origin, 'commit', '-q', '--allow-empty', '-m', 'theirs');
  await plainGit(it.origin, 'checkout', '-q', 'main');
  const theirs = await plainGit(it.origin, 'rev-parse', workspace.branch);
  const push = workspace.push(await committed(workspace, 'ours\n'), never);
  await expect(push).rejects.toMatchObject({
    code: 'branch_taken',
    message: expect.stringContaining(workspace.branch),
  });
  expect(await plainGit(it.origin, 'rev-parse', workspace.branch)).toBe(theirs);
});

test('does not bring back a branch that it goes on with and that was deleted since', async () => {
  await using it = await workspaceScratch();
  await plainGit(it.origin, 'branch', 'sluice/7-sum', 'main');
  const workspace = await it.prepare({ baseBranch: 'sluice/7-sum', branch: 'sluice/7-sum' });
  const head = await committed(workspace, 'ours\n');
  await plainGit(it.origin, 'branch', '-D', 'sluice/7-sum');
  const push = workspace.push(head, never);
  await expect(push).rejects.toMatchObject({
    code: 'base_branch_missing',
    message: expect.stringContaining('"sluice/7-sum" was deleted'),
  });
  expect(await plainGit(it.origin, 'branch', '--list', 'sluice/*')).toBe('');
});

test('asks its caller right before it sends, and sends nothing that the caller refuses', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  const head = await committed(workspace, 'ours\n');
  let asked = 0;
  const refusal = new Error('another worker has the issue');
  const refuse = async () => {
    asked += 1;
    throw refusal;
  };
  await expect(workspace.push(head, never, refuse)).rejects.toBe(refusal);
  expect(await plainGit(it.origin, 'branch', '--list', workspace.branch)).toBe('');
  await workspace.push(head, never, async () => {
    asked += 1;
  });
  expect(await plainGit(it.origin, 'rev-parse', workspace.branch)).toBe(head);
  await workspace.push(head, never, refuse); // it is there: nothing to send
  expect(asked).toBe(2);
});

test('never pushes over a commit that somebody added to its own', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  await workspace.push(await committed(workspace, 'one\n'), never);
  await plainGit(it.origin, 'checkout', '-q', workspace.branch);
  await plainGit(it.origin, 'commit', '-q', '--allow-empty', '-m', 'a remark of theirs');
  await plainGit(it.origin, 'checkout', '-q', 'main');
  const push = workspace.push(await committed(workspace, 'two\n'), never);
  await expect(push).rejects.toMatchObject({ code: 'branch_taken' });
});

test('knows its own commit again when the cache was lost', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  const first = await committed(workspace, 'ours\n');
  await workspace.push(first, never);
  const other = createWorkspaces(workspacesOptions(it.scratch.join('other')));
  const again = await other.prepare(it.request({ baseCommit: workspace.baseCommit }));
  const second = await committed(again, 'ours\n', 'another second, another commit');
  expect(second).not.toBe(first);
  await again.push(second, never);
  expect(await plainGit(it.origin, 'rev-parse', workspace.branch)).toBe(second);
});

test('clones, fetches and pushes over HTTP with a token, twice the same without a second push', async () => {
  await using it = await workspaceScratch();
  const http = await overHttp(it);
  await using _origin = http.origin;
  const workspace = await http.prepare();
  const head = await committed(workspace, 'ours\n');
  await workspace.push(head, never);
  const pushes = (): number => http.origin.requests.filter(({ url }) => url.endsWith('/git-receive-pack')).length;
  expect([await plainGit(http.repository, 'rev-parse', workspace.branch), pushes()]).toEqual([head, 1]);
  await workspace.push(head, never);
  expect(pushes()).toBe(1);
  expect(new Set(http.origin.requests.map(({ host }) => host))).toEqual(
    new Set([`pinned.invalid:${http.origin.port}`]),
  );
});

test("reports the remote's reason when it declines the branch, and does not retry", async () => {
  await using it = await workspaceScratch();
  const http = await overHttp(it);
  await using _origin = http.origin;
  const hook = join(http.repository, 'hooks/pre-receive');
  await writeFile(hook, '#!/bin/sh\necho "this branch is protected" >&2\nexit 1\n');
  await chmod(hook, 0o755);
  const workspace = await http.prepare();
  const push = workspace.push(await committed(workspace, 'ours\n'), never);
  await expect(push).rejects.toMatchObject({
    code: 'push_rejected',
    retry: false,
    message: expect.stringContaining('this branch is protected'),
  });
});

test('says that a token may not push', async () => {
  await using it = await workspaceScratch();
  const http = await overHttp(it);
  await using _origin = http.origin;
  const workspace = await http.prepare();
  http.origin.readOnly();
  const push = workspace.push(await committed(workspace, 'ours\n'), never);
  await expect(push).rejects.toMatchObject({ code: 'push_rejected', message: expect.stringContaining('may not push') });
});

test('loses no commit that arrives between the look and the push', async () => {
  await using it = await workspaceScratch();
  let branch = '';
  let arrive = false;
  const http = await overHttp(it, async (url) => {
    if (!arrive || !url.includes('service=git-receive-pack')) return;
    arrive = false;
    await plainGit(http.repository, 'update-ref', `refs/heads/${branch}`, 'refs/heads/main');
  });
  await using _origin = http.origin;
  const workspace = await http.prepare();
  branch = workspace.branch;
  arrive = true;
  const push = workspace.push(await committed(workspace, 'ours\n'), never);
  await expect(push).rejects.toMatchObject({ code: 'branch_taken' });
  expect(arrive).toBe(false);
  expect(await plainGit(http.repository, 'rev-parse', branch)).toBe(workspace.baseCommit);
});

test('lets a follow-up go on from where its branch stood when it began, and from nowhere else', async () => {
  await using it = await workspaceScratch();
  const first = await it.prepare();
  const before = await committed(first, 'one\n');
  await first.push(before, never);
  const { branch } = first;
  const next = await it.prepare({ issueId: newIssueId(), branch, baseBranch: branch });
  expect(next.baseCommit).toBe(before);
  const head = await committed(next, 'two\n');
  await next.push(head, never);
  expect(await plainGit(it.origin, 'log', '--format=%H', `main..${branch}`)).toBe(`${head}\n${before}`);

  const late = await it.prepare({ issueId: newIssueId(), branch, baseBranch: branch });
  await plainGit(it.origin, 'checkout', '-q', branch);
  await plainGit(it.origin, 'commit', '-q', '--allow-empty', '-m', 'theirs');
  await plainGit(it.origin, 'checkout', '-q', 'main');
  const theirs = await plainGit(it.origin, 'rev-parse', branch);
  await expect(late.push(await committed(late, 'three\n'), never)).rejects.toMatchObject({
    code: 'branch_taken',
    message: expect.stringContaining('ask again with a new comment'),
  });
  expect(await plainGit(it.origin, 'rev-parse', branch)).toBe(theirs);
});

test('fetches and pushes once more, where the token of the account was replaced under way', async () => {
  await using it = await workspaceScratch();
  const http = await overHttp(it);
  await using _origin = http.origin;
  let asked = 0;
  const token = async () => {
    asked += 1;
    return asked % 2 === 1 ? 'of before' : 'tok-1';
  };
  const workspace = await http.prepare({ byAccount: true, token });
  const head = await committed(workspace, 'ours\n');
  await workspace.push(head, never);
  expect(await plainGit(http.repository, 'rev-parse', workspace.branch)).toBe(head);
  const requests = () => http.origin.requests.length;
  const before = requests();
  const refused = http.prepare({ byAccount: true, token: async () => 'of before' });
  await expect(refused).rejects.toMatchObject({ code: 'codehost_relink_needed' });
  // The same token is not tried again: git asks once without, and once with it.
  expect(requests() - before).toBeLessThanOrEqual(2);
});
