import { accessTo, type Repo } from '@sluice/core/repo';
import type { Workspace } from '@sluice/core/workspace';
import type { IssueExecution } from '../execution/issue-execution.ts';
import type { WorkerDeps } from '../execution/worker-deps.ts';
import { branchName } from './branch-name.ts';

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
