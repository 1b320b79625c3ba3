import { AppError } from '@sluice/core/error';
import type { RepoAccess } from '@sluice/core/workspace';
import { branchTip, fetchBranches, fetchCommit, hasCommit } from './repo-cache.ts';
import type { WorkspaceHost } from './workspace-host.ts';
import { cachePath } from './workspace-layout.ts';

export interface BaseRequest {
  readonly repo: RepoAccess;
  readonly baseBranch: string;
  /** Null: the tip of the branch. */
  readonly baseCommit: string | null;
  readonly signal: AbortSignal;
}

const REMEMBERED_NAMES = 1_000;

/**
 * Checks the name of the base branch and the id of the base commit.
 *
 * @throws AppError `base_branch_missing` for what can be no branch or no commit
 */
export async function checkBase(host: WorkspaceHost, request: Omit<BaseRequest, 'repo'>): Promise<void> {
  await checkBranchName(host, request.baseBranch, request.signal);
  if (request.baseCommit !== null && !/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(request.baseCommit)) {
    throw new AppError('base_branch_missing', { detail: 'The base commit is not a valid commit id.' });
  }
}

/** Names that git has admitted are remembered, as each stage asks for the same two. */
export async function checkBranchName(host: WorkspaceHost, name: string, signal: AbortSignal): Promise<void> {
  if (host.branchNames.has(name)) return;
  const { exitCode } = await host.git.run(['check-ref-format', `refs/heads/${name}`], { answers: [0, 1], signal });
  if (exitCode === 0) {
    if (host.branchNames.size >= REMEMBERED_NAMES) host.branchNames.clear();
    host.branchNames.add(name);
    return;
  }
  throw new AppError('base_branch_missing', { detail: `"${name}" cannot be the name of a branch.` });
}

/**
 * The commit to start from. Fetches when none is named or the one named is not here: a repeat after a crash needs no
 * network. Only under the repository's lock.
 *
 * @param isFresh whether the branches are as of now
 */
export async function chooseBase(host: WorkspaceHost, request: BaseRequest, isFresh: boolean): Promise<string> {
  const { repo, baseBranch, baseCommit, signal } = request;
  const cache = cachePath(host.layout, repo.repoId);
  if (baseCommit !== null && (await hasCommit(host.git, { cache, commit: baseCommit }, signal))) return baseCommit;
  if (!isFresh) await fetchBranches(host.caches, { repo, cache }, signal);
  if (baseCommit === null) return branchTip(host.git, { cache, branch: baseBranch }, signal);
  await findCommit(host, { repo, commit: baseCommit }, signal);
  return baseCommit;
}

/**
 * Sees to it that a commit is in the cache, also one that no branch holds any more, as long as the remote has it. Only
 * under the repository's lock.
 *
 * @throws AppError `base_branch_missing` when it is gone everywhere
 */
export async function findCommit(
  host: WorkspaceHost,
  at: { repo: RepoAccess; commit: string },
  signal: AbortSignal,
): Promise<void> {
  const { repo, commit } = at;
  const cache = cachePath(host.layout, repo.repoId);
  if (await hasCommit(host.git, { cache, commit }, signal)) return;
  await fetchCommit(host.caches, { repo, cache, commit }, signal);
  if (await hasCommit(host.git, { cache, commit }, signal)) return;
  throw new AppError('base_branch_missing', {
    detail: `The commit ${commit.slice(0, 12)} that this issue started from is no longer in the repository: create the issue again.`,
  });
}
