import { AppError } from '../error/app-error.ts';
import type { IssueId, UserId } from '../id/id.ts';

/** The active issue of a repository. Named only to its owner: one active issue per remote holds across users, ids do not. */
export interface ActiveHolder {
  readonly issueId: IssueId;
  readonly userId: UserId;
}

export function repoBusy(holder: ActiveHolder, userId: UserId): AppError {
  if (holder.userId !== userId) {
    return new AppError('repo_busy', {
      detail: 'An issue of another user is in progress on this repository. Try again when it has ended.',
    });
  }
  return new AppError('repo_busy', {
    detail: `Issue ${holder.issueId} is in progress on this repository. Wait for it to end, or cancel it.`,
    body: { active_issue_id: holder.issueId },
  });
}
