import { AppError } from '../error/app-error.ts';
import { type IssueId, isId, type RepoId, type UserId } from '../id/id.ts';
import type { Repo } from '../repo/repo.ts';
import type { RepoStore } from '../repo/repo-store.ts';
import type { Issue } from './issue.ts';
import type { IssueStore } from './issue-store.ts';

declare const authorized: unique symbol;

/**
 * A resource that its reader or changer was found to own. Only `authorizeIssue` and `authorizeRepo` make one, and
 * whatever shows or changes a resource on a user's behalf takes it: forgetting the check does not compile.
 */
export type Authorized<T> = T & { readonly [authorized]: true };

/** @throws AppError `issue_not_found`, or `not_owner` when it is another user's */
export async function authorizeIssue(
  stores: { issues: IssueStore },
  userId: UserId,
  id: string,
): Promise<Authorized<Issue>> {
  const issue = isId(id) ? await stores.issues.get(id as IssueId) : null;
  if (issue === null) throw new AppError('issue_not_found');
  if (issue.userId !== userId)
    throw new AppError('not_owner', {
      detail: 'This issue belongs to another user.',
    });
  return issue as Authorized<Issue>;
}

/** @throws AppError `repo_not_found`, or `not_owner` when it is another user's */
export async function authorizeRepo(
  stores: { repos: RepoStore },
  userId: UserId,
  id: string,
): Promise<Authorized<Repo>> {
  const repo = isId(id) ? await stores.repos.get(id as RepoId) : null;
  if (repo === null) throw new AppError('repo_not_found');
  if (repo.userId !== userId)
    throw new AppError('not_owner', {
      detail: 'This repository belongs to another user.',
    });
  return repo as Authorized<Repo>;
}
