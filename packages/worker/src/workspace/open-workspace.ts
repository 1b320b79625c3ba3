import { shortId } from '@sluice/core/id';
import { accessTo, type Repo } from '@sluice/core/repo';
import type { Workspace } from '@sluice/core/workspace';
import type { IssueExecution } from '../execution/issue-execution.ts';
import type { WorkerDeps } from '../execution/worker-deps.ts';

/**
 * Prepares the issue's working tree, or finds it. Branch and base come from the pipeline's state once `prepare` has written
 * them, so every later stage works on the same commit.
 */
export function openWorkspace(
  deps: Pick<WorkerDeps, 'workspaces' | 'cipher' | 'codehostTokens'>,
  repo: Repo,
  work: { execution: IssueExecution; signal: AbortSignal },
): Promise<Workspace> {
  const issue = work.execution.issue();
  const cause = issue.pipeline.follow_up;
  return deps.workspaces.prepare({
    issueId: issue.id,
    repo: accessTo(deps, repo),
    baseBranch: issue.baseBranch,
    branch: issue.pipeline.branch ?? branchName(issue),
    baseCommit: issue.pipeline.prepared?.base_commit ?? null,
    mergeCommit: cause?.kind === 'base' ? cause.base_commit : null,
    signal: work.signal,
  });
}

const SLUG_LENGTH = 40; // readable in lists; git's limit is the file system's 255 bytes

/** The branch of an issue: `sluice/<short id>-<slug>`. The same issue always gets the same branch. */
export function branchName(issue: { id: string; title: string }): string {
  const slug = issue.title
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '') // NFKD splits é into e and an accent: drop the accent
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH)
    .replace(/^-+|-+$/g, '');
  return `sluice/${shortId(issue.id)}${slug === '' ? '' : `-${slug}`}`;
}
