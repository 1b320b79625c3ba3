import type { Authorized } from '../access/authorized.ts';
import { neededOnIssue } from '../access/role-needed.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import { AppError } from '../error/app-error.ts';
import { hiddenTextWarnings } from '../text/hidden-text.ts';
import type { Issue } from './issue.ts';
import { domainName, type EditableFields, editedFields } from './issue-fields.ts';
import { isEditable } from './issue-machine.ts';
import type { IssueStore } from './issue-store.ts';
import { wrongStatus } from './wrong-status.ts';

/**
 * Changes an issue that has not started. Absent fields stay as they are.
 *
 * @throws AppError `issue_not_editable` when it is queued or has started, `issue_not_found`
 */
export async function editIssue(
  context: { issues: Pick<IssueStore, 'edit' | 'get'> },
  issue: Authorized<Issue, 'manage'>,
  { by, ...change }: Partial<EditableFields> & { readonly by: Initiator },
): Promise<Issue> {
  if (!isEditable(issue)) throw notEditable(issue);
  const fields = { ...editableOf(issue), ...change };
  if (names.every((name) => fields[name] === issue[name])) return issue;
  const warnings = hiddenTextWarnings({ ...fields, labels: issue.labels });
  const edited = await context.issues.edit(
    issue.id,
    { ...fields, warnings },
    auditEntry(by, { action: 'issue.edited', subjectId: issue.id, detail: {} }, neededOnIssue('manage', issue, by)),
  );
  if (edited !== null) return edited;
  const now = await context.issues.get(issue.id);
  if (now === null) throw new AppError('issue_not_found');
  throw notEditable(now); // it was run concurrently
}

const names = editedFields.map(domainName) as readonly (keyof EditableFields)[];

function editableOf(issue: Issue): EditableFields {
  return Object.fromEntries(names.map((name) => [name, issue[name]])) as unknown as EditableFields;
}

function notEditable(issue: Issue): AppError {
  const needed = 'the text can be changed only while the issue is `pending` and not queued';
  return wrongStatus('issue_not_editable', issue, needed);
}
