import type { Authorized } from '../access/authorized.ts';
import { neededOnIssue } from '../access/role-needed.ts';
import { auditEntry, type Initiator, type WrittenWith } from '../audit/audit-entry.ts';
import { AppError } from '../error/app-error.ts';
import type { AttachmentId, IssueId } from '../id/id.ts';
import type { Issue } from './issue.ts';
import type { IssueStore } from './issue-store.ts';
import { wrongStatus } from './wrong-status.ts';

interface NoteRequest extends Pick<WrittenWith<IssueId>, 'response'> {
  readonly text: string;
  /** Unused attachments of the user. */
  readonly attachments?: readonly AttachmentId[] | undefined;
  readonly by: Initiator;
}

/**
 * Sends a note to the working agent, which reads it before its next turn. In a stage without an agent, the next one reads
 * it.
 *
 * @throws AppError `issue_not_running`, `attachment_unusable`, `issue_attachments_full`
 */
export async function sendNote(
  context: { readonly issues: IssueStore },
  issue: Authorized<Issue, 'note'>,
  { text, attachments, by, response }: NoteRequest,
): Promise<void> {
  const audit = auditEntry(
    by,
    { action: 'issue.noted', subjectId: issue.id, detail: {} },
    neededOnIssue('note', issue, by),
  );
  const attach = attachments === undefined ? undefined : { by: by.userId, ids: attachments };
  if (await context.issues.addNote(issue.id, text, { audit, response, attach })) return;
  const now = await context.issues.get(issue.id);
  if (now === null) throw new AppError('issue_not_found');
  throw wrongStatus('issue_not_running', now, 'agents read notes only while the issue is `running`');
}
