import type { Workspace } from '@sluice/core/workspace';
import { plainGit, writeFiles } from '../../git/test/scratch.ts';
import { committed, never, newIssueId, type WorkspaceScratch, workspaceScratch } from './workspace-scratch.ts';

export const BRANCH = 'sluice/7-sum';
export const FILES = { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b\n', 'gone.txt': 'here\n', 'logo.bin': 'a\0b' };

/** Commits to a branch of the origin. @returns the commit */
export async function commitOn(
  it: WorkspaceScratch,
  branch: string,
  files: Record<string, string | null>,
): Promise<string> {
  await plainGit(it.origin, 'checkout', '-q', branch);
  for (const [path, text] of Object.entries(files)) {
    if (text === null) await plainGit(it.origin, 'rm', '-q', path);
    else await writeFiles(it.origin, { [path]: text });
  }
  await plainGit(it.origin, 'add', '-A');
  await plainGit(it.origin, 'commit', '-q', '-m', `change ${Object.keys(files).join(' ')} on ${branch}`);
  const commit = (await plainGit(it.origin, 'rev-parse', 'HEAD')).trim();
  await plainGit(it.origin, 'checkout', '-q', '--detach');
  return commit;
}

/** A pull request's branch and its base, each changed since they parted, and the tree in which they are merged. */
export async function merging(ours: Record<string, string | null>, theirs: Record<string, string | null>) {
  const it = await workspaceScratch(FILES);
  await plainGit(it.origin, 'branch', BRANCH, 'main');
  const head = await commitOn(it, BRANCH, ours);
  const base = await commitOn(it, 'main', theirs);
  const issueId = newIssueId();
  const request = { issueId, baseBranch: BRANCH, branch: BRANCH, baseCommit: head, mergeCommit: base };
  const workspace = await it.prepare(request);
  await workspace.reset(never);
  return { it, head, base, request, workspace };
}

export const commit = (workspace: Workspace) => committed(workspace, 'Merge main');
