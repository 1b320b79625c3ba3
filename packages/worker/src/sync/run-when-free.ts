import { asAuthorized } from '@sluice/core/access';
import { AppError } from '@sluice/core/error';
import { type Issue, isActive, isPending, runIssue } from '@sluice/core/issue';
import type { SyncContext, SyncEnd } from './sync-context.ts';

/** Whether an issue still waits to be run for the first time. */
export function waitsToRun(issue: Issue): boolean {
  return isPending(issue.status) && !isActive(issue);
}

/** Runs an issue that waits to be run. `blocked` when another issue has its repository; in every other case it is done. */
export async function runWhenFree({ deps }: SyncContext, issue: Issue): Promise<SyncEnd> {
  if (!waitsToRun(issue)) return 'done';
  try {
    // An admin of the repository has set that it runs; no other user asked for it.
    await runIssue(deps, asAuthorized(issue), { by: 'service' });
    return 'done';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'repo_busy') return 'blocked';
    // Cancelled, deleted or run by a person at the same moment: their decision counts.
    if (error.code === 'issue_not_pending' || error.code === 'issue_not_found') return 'done';
    throw error;
  }
}
