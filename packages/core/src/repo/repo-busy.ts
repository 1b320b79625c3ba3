import { AppError } from '../error/app-error.ts';
import type { IssueId, RepoId } from '../id/id.ts';

/**
 * The active issue of a remote. Named only to members of its registration: one active issue per remote holds across users,
 * ids do not.
 */
export interface ActiveHolder {
  readonly issueId: IssueId;
  readonly repoId: RepoId;
}

/** The refusal while another issue holds the repository. @param repoId the registration that the caller is a member of */
export function repoBusy(holder: ActiveHolder, repoId: RepoId): AppError {
  if (holder.repoId !== repoId) {
    return new AppError('repo_busy', {
      detail: 'An issue of another user is in progress on this repository. Try again when it has ended.',
    });
  }
  return new AppError('repo_busy', {
    detail: `Issue ${holder.issueId} is in progress on this repository. Wait for it to end, or cancel it.`,
    body: { active_issue_id: holder.issueId },
  });
}
