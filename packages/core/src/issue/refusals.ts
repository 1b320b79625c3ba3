import { AppError } from '../error/app-error.ts';
import type { ErrorCode } from '../error/error-catalog.ts';
import type { UserId } from '../id/id.ts';
import type { Issue } from './issue.ts';
import type { ActiveHolder } from './issue-store.ts';

/** A repository that another issue holds. The issue is named only to its owner: the rule spans users, names must not. */
export function repoBusy(holder: ActiveHolder, userId: UserId): AppError {
  if (holder.userId !== userId) {
    return new AppError('repo_busy', {
      detail: 'An issue of another user is in progress on this repository. Try again when it has ended.',
    });
  }
  return new AppError('repo_busy', {
    detail: `Issue ${holder.issueId} is in progress on this repository. Wait for it, or cancel it first.`,
    body: { active_issue_id: holder.issueId },
  });
}

/** A refusal because of the issue's status, which it names together with what would be needed. */
export function wrongStatus(code: ErrorCode, issue: Issue, needed: string): AppError {
  return new AppError(code, {
    detail: `This issue is \`${issue.status}\`; ${needed}.`,
    body: { status: issue.status },
  });
}
