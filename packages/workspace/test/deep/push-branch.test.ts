import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plainGit } from '../../src/git/test/scratch.ts';
import { committed, overHttp } from '../../src/worktree/test/push-branch-scene.ts';
import { never, newIssueId, workspaceScratch, workspacesOptions } from '../../src/worktree/test/workspace-scratch.ts';
import { createWorkspaces } from '../../src/worktree/workspaces.ts';

// Usual way: packages/workspace/src/worktree/push-branch.test.ts

test('starts from a shallow clone and pushes to it', async () => {
  await using it = await workspaceScratch();
  await plainGit(it.origin, 'commit', '-q', '--allow-empty', '-m', 'second');
  await plainGit(it.scratch.path, 'clone', '-q', '--depth=1', `file://${it.origin}`, 'shallow');
  const url = it.scratch.join('shallow');
  const workspace = await it.prepare({ repo: { ...it.request().repo, url } });
  const head = await committed(workspace, 'ours\n');
  await workspace.push(head, never);
  expect(await plainGit(url, 'rev-parse', workspace.branch)).toBe(head);
  expect(await plainGit(url, 'log', '--format=%s', workspace.branch)).toBe('change\nsecond');
  await plainGit(url, 'fsck');
});

test.each([
  ['rewritten the message of', []],
  ['taken over', ['--reset-author']],
])('never pushes over a commit of its own that somebody has %s, also when the cache was lost', async (_, more) => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  await workspace.push(await committed(workspace, 'ours\n'), never);
  await plainGit(it.origin, 'checkout', '-q', workspace.branch);
  await plainGit(it.origin, 'commit', '-q', '--amend', ...more, '-m', 'in their own words');
  await plainGit(it.origin, 'checkout', '-q', 'main');
  const theirs = await plainGit(it.origin, 'rev-parse', workspace.branch);
  const other = createWorkspaces(workspacesOptions(it.scratch.join('other')));
  const again = await other.prepare(it.request({ baseCommit: workspace.baseCommit }));
  const push = again.push(await committed(again, 'ours\n'), never);
  await expect(push).rejects.toMatchObject({ code: 'branch_taken' });
  expect(await plainGit(it.origin, 'rev-parse', workspace.branch)).toBe(theirs);
});

test('keeps the branch of a follow-up when the issue before it is put away', async () => {
  await using it = await workspaceScratch();
  const first = await it.prepare();
  await first.push(await committed(first, 'one\n'), never);
  const { branch, issueId } = first;
  const next = await it.prepare({ issueId: newIssueId(), branch, baseBranch: branch });
  await it.workspaces.discard(issueId);
  await it.workspaces.settled();
  expect(await plainGit(next.root, 'status', '--porcelain', '--branch')).toBe(`## ${branch}`);
  await it.workspaces.discard(next.issueId);
  await it.workspaces.settled();
  expect(await plainGit(next.gitDir, 'for-each-ref', 'refs/heads', 'refs/sluice')).toBe('');
});

test('says what the code host has against the account that pushes', async () => {
  await using it = await workspaceScratch();
  const http = await overHttp(it);
  await using _origin = http.origin;
  const workspace = await http.prepare({ byAccount: true });
  http.origin.readOnly();
  const head = await committed(workspace, 'ours\n');
  await expect(workspace.push(head, never)).rejects.toMatchObject({ code: 'codehost_relink_needed', retry: false });
});

test.each([
  [true, 'codehost_relink_needed', 'link your account there again'],
  [false, 'push_rejected', 'access_token that has the `workflow` scope'],
] as const)('explains a token that may change no workflow (of an account: %s)', async (byAccount, code, words) => {
  await using it = await workspaceScratch();
  const http = await overHttp(it);
  await using _origin = http.origin;
  const said =
    'refusing to allow an OAuth App to create or update workflow `.github/workflows/ci.yml` without `workflow` scope';
  const hook = join(http.repository, 'hooks/update');
  await writeFile(hook, `#!/bin/sh\ncat >&2 <<'END'\n${said}\nEND\nexit 1\n`);
  await chmod(hook, 0o755);
  const workspace = await http.prepare({ byAccount });
  await expect(workspace.push(await committed(workspace, 'ours\n'), never)).rejects.toMatchObject({
    code,
    retry: false,
    message: expect.stringMatching(new RegExp(`${words}.*ci\\.yml`, 's')),
  });
});
