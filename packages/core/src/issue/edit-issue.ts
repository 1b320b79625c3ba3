import type { Authorized } from '../access/authorized.ts';
import { neededOnIssue } from '../access/role-needed.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import { AppError } from '../error/app-error.ts';
import { hiddenTextWarnings } from '../text/hidden-text.ts';
import type { Issue } from './issue.ts';
import { isEditable } from './issue-machine.ts';
import type { IssueStore } from './issue-store.ts';
import { wrongStatus } from './wrong-status.ts';

/**
 * Changes the text of an issue that has not started. Absent fields stay as they are.
 *
 * @throws AppError `issue_not_editable` when it is queued or has started, `issue_not_found`
 */
export async function editIssue(
  context: { issues: Pick<IssueStore, 'edit' | 'get'> },
  issue: Authorized<Issue, 'manage'>,
  change: { readonly title?: string | undefined; readonly body?: string | undefined; readonly by: Initiator },
): Promise<Issue> {
  if (!isEditable(issue)) throw notEditable(issue);
  const text = { title: change.title ?? issue.title, body: change.body ?? issue.body };
  if (text.title === issue.title && text.body === issue.body) return issue;
  const warnings = hiddenTextWarnings({ ...text, labels: issue.labels });
  const edited = await context.issues.edit(
    issue.id,
    { ...text, warnings },
    auditEntry(
      change.by,
      { action: 'issue.edited', subjectId: issue.id, detail: {} },
      neededOnIssue('manage', issue, change.by),
    ),
  );
  if (edited !== null) return edited;
  const now = await context.issues.get(issue.id);
  if (now === null) throw new AppError('issue_not_found');
  throw notEditable(now); // it was run concurrently
}

function notEditable(issue: Issue): AppError {
  const needed = 'the text can be changed only while the issue is `pending` and not queued';
  return wrongStatus('issue_not_editable', issue, needed);
}
