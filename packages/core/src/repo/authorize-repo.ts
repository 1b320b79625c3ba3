import { type Authorized, ownedBy } from '../account/authorized.ts';
import { AppError } from '../error/app-error.ts';
import { isId, type RepoId, type UserId } from '../id/id.ts';
import type { Repo } from './repo.ts';
import type { RepoStore } from './repo-store.ts';

/** @throws AppError `repo_not_found`, or `not_owner` for another user's repository */
export async function authorizeRepo(
  stores: { repos: RepoStore },
  userId: UserId,
  id: string,
): Promise<Authorized<Repo>> {
  const repo = isId(id) ? await stores.repos.get(id as RepoId) : null;
  if (repo === null) throw new AppError('repo_not_found');
  const owned = ownedBy(userId, repo);
  if (owned === null) throw new AppError('not_owner', { detail: 'This repository belongs to another user.' });
  return owned;
}
