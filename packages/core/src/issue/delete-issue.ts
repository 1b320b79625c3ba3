import type { Authorized } from '../access/authorized.ts';
import { neededOnIssue } from '../access/role-needed.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import { AppError } from '../error/app-error.ts';
import type { Issue } from './issue.ts';
import type { IssueStore } from './issue-store.ts';
import { wrongStatus } from './wrong-status.ts';

/**
 * Deletes an ended issue with everything that belongs to it.
 *
 * @throws AppError `issue_not_terminal`
 */
export async function deleteIssue(
  context: { issues: Pick<IssueStore, 'remove'> },
  issue: Authorized<Issue, 'delete'>,
  { by }: { readonly by: Initiator },
): Promise<void> {
  const outcome = await context.issues.remove(
    issue.id,
    auditEntry(by, { action: 'issue.deleted', subjectId: issue.id, detail: {} }, neededOnIssue('delete', issue, by)),
  );
  if (outcome === 'absent') throw new AppError('issue_not_found');
  if (outcome === 'stale')
    throw wrongStatus('issue_not_terminal', issue, 'only an issue that has ended can be deleted, so cancel it first');
}
