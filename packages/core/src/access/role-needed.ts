import type { RepoId, UserId } from '../id/id.ts';
import { type IssueAct, issueActs, type RepoAct, type Role, repoActs } from './role.ts';

/** A role that the writer must still have when the write is carried out. */
export interface RoleNeeded {
  readonly repoId: RepoId;
  readonly role: Role;
}

export function neededOnIssue(
  act: IssueAct,
  issue: { readonly repoId: RepoId; readonly userId: UserId },
  by: { readonly userId: UserId },
): RoleNeeded {
  return { repoId: issue.repoId, role: issueActs[act][issue.userId === by.userId ? 'own' : 'any'] };
}

export function neededOnRepo(act: RepoAct, repo: { readonly id: RepoId }): RoleNeeded {
  return { repoId: repo.id, role: repoActs[act] };
}
