import { type Authorized, asAuthorized } from '../access/authorized.ts';
import { type Caller, type RoleReader, roleOf } from '../access/caller.ts';
import { includesRole, type RepoAct, type Role, repoActs } from '../access/role.ts';
import { roleInsufficient } from '../access/role-insufficient.ts';
import { AppError } from '../error/app-error.ts';
import { isId, type RepoId } from '../id/id.ts';
import type { Repo } from './repo.ts';
import type { RepoStore } from './repo-store.ts';

/**
 * The repository with the caller's role in it, if they may do this to it.
 *
 * @throws AppError `repo_not_found`; `not_owner` for a repository that they are no member of; `role_insufficient` where
 * their role does not include the act, `token_scope_insufficient` where their token does not
 */
export async function authorizeRepo<Act extends RepoAct>(
  context: { readonly repos: Pick<RepoStore, 'get'>; readonly members: RoleReader; readonly caller: Caller },
  id: string,
  act: Act,
): Promise<Authorized<Repo & { readonly role: Role }, Act | 'read'>> {
  const repo = isId(id) ? await context.repos.get(id as RepoId) : null;
  if (repo === null) throw new AppError('repo_not_found');
  const role = await roleOf(context, context.caller, repo.id);
  if (role === null) throw new AppError('not_owner', { detail: 'You are not a member of this repository.' });
  if (!includesRole(role, repoActs[act])) throw roleInsufficient(role, repoActs[act], context.caller.limits);
  return asAuthorized({ ...repo, role });
}
