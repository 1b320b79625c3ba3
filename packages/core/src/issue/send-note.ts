import type { Authorized } from '../access/authorized.ts';
import { neededOnIssue } from '../access/role-needed.ts';
import { auditEntry, type Initiator, type WrittenWith } from '../audit/audit-entry.ts';
import { AppError } from '../error/app-error.ts';
import type { IssueId } from '../id/id.ts';
import type { Issue } from './issue.ts';
import type { IssueStore } from './issue-store.ts';
import { wrongStatus } from './wrong-status.ts';

/**
 * Sends a note to the working agent, which reads it before its next turn. In a stage without an agent, the next one reads
 * it.
 *
 * @throws AppError `issue_not_running`
 */
export async function sendNote(
  context: { readonly issues: IssueStore },
  issue: Authorized<Issue, 'note'>,
  { text, by, response }: { readonly text: string; readonly by: Initiator } & Pick<WrittenWith<IssueId>, 'response'>,
): Promise<void> {
  const audit = auditEntry(
    by,
    { action: 'issue.noted', subjectId: issue.id, detail: {} },
    neededOnIssue('note', issue, by),
  );
  if (await context.issues.addNote(issue.id, text, { audit, response })) return;
  const now = await context.issues.get(issue.id);
  if (now === null) throw new AppError('issue_not_found');
  throw wrongStatus('issue_not_running', now, 'agents read notes only while the issue is `running`');
}
