import { AppError, authorizeIssue, type Issue, isActive, isPending, runIssue } from '@sluice/core';
import type { SyncContext, SyncEnd } from './sync-context.ts';

/** Whether an issue still waits to be run for the first time. */
export function waitsToRun(issue: Issue): boolean {
  return isPending(issue.status) && !isActive(issue);
}

/** Runs an issue that waits to be run. `held` when another issue has its repository; whatever else it is by now, it is seen. */
export async function runWhenFree({ deps }: SyncContext, issue: Issue): Promise<SyncEnd> {
  if (!waitsToRun(issue)) return 'seen';
  try {
    await runIssue(deps, await authorizeIssue(deps, issue.userId, issue.id), { by: 'service' });
    return 'seen';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'repo_busy') return 'held';
    // Cancelled, deleted or run by a person in this moment: that is his answer.
    if (error.code === 'issue_not_pending' || error.code === 'issue_not_found') return 'seen';
    throw error;
  }
}
