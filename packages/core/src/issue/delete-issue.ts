import type { Authorized } from '../account/authorized.ts';
import { AppError } from '../error/app-error.ts';
import type { Issue } from './issue.ts';
import type { IssueStore } from './issue-store.ts';
import { wrongStatus } from './wrong-status.ts';

/**
 * Removes an ended issue for good, with all that belongs to it.
 *
 * @throws AppError `issue_not_terminal`
 */
export async function deleteIssue(context: { issues: IssueStore }, issue: Authorized<Issue>): Promise<void> {
  const outcome = await context.issues.remove(issue.id);
  if (outcome === 'absent') throw new AppError('issue_not_found');
  if (outcome === 'stale')
    throw wrongStatus('issue_not_terminal', issue, 'only an issue that has ended can be deleted, so cancel it first');
}
