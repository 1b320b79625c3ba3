import { type Authorized, ownedBy } from '../account/authorized.ts';
import { AppError } from '../error/app-error.ts';
import { type IssueId, isId, type UserId } from '../id/id.ts';
import type { Issue } from './issue.ts';
import type { IssueStore } from './issue-store.ts';

/** @throws AppError `issue_not_found`, or `not_owner` for another user's issue */
export async function authorizeIssue(
  stores: { issues: IssueStore },
  userId: UserId,
  id: string,
): Promise<Authorized<Issue>> {
  const issue = isId(id) ? await stores.issues.get(id as IssueId) : null;
  if (issue === null) throw new AppError('issue_not_found');
  const owned = ownedBy(userId, issue);
  if (owned === null) throw new AppError('not_owner', { detail: 'This issue belongs to another user.' });
  return owned;
}
