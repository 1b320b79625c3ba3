import type { Authorized } from '../access/authorized.ts';
import { neededOnIssue } from '../access/role-needed.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import type { CloseReason } from '../code-host/close-reason.ts';
import { AppError } from '../error/app-error.ts';
import type { Issue } from '../issue/issue.ts';
import type { ChangeRequestRecord } from './change-request-record.ts';
import type { OutcomeStore } from './outcome-store.ts';

/**
 * Keeps why the pull request of an issue was closed without a merge. The same person may change their answer.
 *
 * @throws AppError `close_not_asked` where the issue has no pull request or that one is not closed; `close_explained` where
 * another person gave the reason
 */
export async function explainClose(
  { outcomes }: { readonly outcomes: Pick<OutcomeStore, 'ofIssue' | 'answerClose'> },
  issue: Authorized<Issue, 'manage'>,
  answer: { readonly reason: CloseReason; readonly note: string | null; readonly by: Initiator },
): Promise<ChangeRequestRecord> {
  const { reason, note, by } = answer;
  const record = await outcomes.ofIssue(issue.id);
  if (record === null) {
    throw new AppError('close_not_asked', { detail: 'The issue has no closed pull request to give a reason for.' });
  }
  const audit = auditEntry(
    by,
    { action: 'issue.close_explained', subjectId: issue.id, detail: {} },
    neededOnIssue('manage', issue, by),
  );
  const outcome = await outcomes.answerClose(record, { reason, note, userId: by.userId }, audit);
  if (outcome.kind === 'answered') return outcome.record;
  if (outcome.kind === 'answered_before') {
    const { userId, at, reason } = outcome.answer;
    throw new AppError('close_explained', {
      detail: `The user ${userId} said at ${at.toISOString()} that the pull request was closed as \`${reason}\`. Only they can change the reason.`,
    });
  }
  throw new AppError('close_not_asked', {
    detail: `Pull request #${record.number} is not closed: there is nothing to give a reason for.`,
  });
}
