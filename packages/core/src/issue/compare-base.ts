import type { Authorized } from '../access/authorized.ts';
import { AppError } from '../error/app-error.ts';
import { plannedFiles } from '../pipeline/plan.ts';
import { type CurrentRepoContext, currentAccess } from '../repo/current-repo.ts';
import type { RepoAccessContext } from '../repo/repo-access.ts';
import type { RepoStore } from '../repo/repo-store.ts';
import type { BaseBranches } from '../workspace/workspace.ts';
import type { Issue } from './issue.ts';
import { isOpenForDecision } from './issue-machine.ts';
import { wrongStatus } from './wrong-status.ts';

export interface CompareBaseContext extends RepoAccessContext, Pick<CurrentRepoContext, 'codehost'> {
  readonly repos: RepoStore;
  readonly bases: BaseBranches;
}

/** The base of a plan beside its branch as it is now. */
export interface ComparedBase {
  readonly baseCommit: string;
  readonly currentCommit: string;
  /** The planned files that differ between the two. With any, an approval of the plan is refused as `plan_stale`. */
  readonly plannedFiles: readonly string[];
  /** How many files differ in all. */
  readonly filesChanged: number;
}

/**
 * Compares the base of the plan with its branch at the remote. Null without a plan, or at a gate of an old version, which
 * does not know its base: then nothing is compared, also by an approval.
 *
 * @throws AppError `base_branch_gone`; one of `remoteErrors` when the base branch cannot be read, and what `currentRepo` throws
 */
export async function compareBase(
  context: CompareBaseContext,
  issue: Issue,
  signal: AbortSignal,
): Promise<ComparedBase | null> {
  const baseCommit = issue.gate?.base_commit ?? null;
  if (baseCommit === null || issue.plan === null) return null;
  const repo = await context.repos.get(issue.repoId);
  if (repo === null) throw new AppError('issue_not_found');
  const { tip, changed } = await context.bases
    .since({
      repo: await currentAccess(context, repo, signal),
      branch: issue.baseBranch,
      baseCommit,
      signal,
    })
    .catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'base_branch_missing') throw baseGone(issue, error);
      throw error;
    });
  const planned = new Set(plannedFiles(issue.plan));
  return {
    baseCommit,
    currentCommit: tip,
    plannedFiles: changed.filter((path) => planned.has(path)),
    filesChanged: changed.length,
  };
}

/**
 * The same for somebody who reads the issue at its gate.
 *
 * @throws AppError `issue_not_awaiting_approval`, and what `compareBase` throws
 */
export async function compareBaseAtGate(
  context: CompareBaseContext,
  issue: Authorized<Issue>,
  signal: AbortSignal,
): Promise<ComparedBase | null> {
  if (!isOpenForDecision(issue.status) || issue.gate === null) {
    const needed = 'the base of a plan is compared while the issue is `awaiting_approval`';
    throw wrongStatus('issue_not_awaiting_approval', issue, needed);
  }
  return await compareBase(context, issue, signal);
}

/** A conflict, not an invalid request: the branch existed when the issue was created. */
function baseGone({ baseBranch }: Issue, cause: AppError): AppError {
  return new AppError(
    'base_branch_gone',
    {
      detail: `The base branch of the plan, \`${baseBranch}\`, no longer exists at the remote. Restore it and approve again, or reject the plan.`,
    },
    { cause },
  );
}
