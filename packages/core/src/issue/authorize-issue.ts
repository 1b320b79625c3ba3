import { type Authorized, asAuthorized } from '../access/authorized.ts';
import { type Caller, type RoleReader, roleOf } from '../access/caller.ts';
import { type IssueAct, includesRole, issueActs } from '../access/role.ts';
import { roleInsufficient } from '../access/role-insufficient.ts';
import { AppError } from '../error/app-error.ts';
import { type IssueId, isId } from '../id/id.ts';
import type { Issue } from './issue.ts';
import type { IssueStore } from './issue-store.ts';

/**
 * The issue, if the caller may do this to it.
 *
 * @throws AppError `issue_not_found`; `not_owner` for an issue of a repository that they are no member of;
 * `role_insufficient` where their role does not include the act, `token_scope_insufficient` where their token does not
 */
export async function authorizeIssue<Act extends IssueAct>(
  context: { readonly issues: Pick<IssueStore, 'get'>; readonly members: RoleReader; readonly caller: Caller },
  id: string,
  act: Act,
): Promise<Authorized<Issue, Act | 'read'>> {
  const issue = isId(id) ? await context.issues.get(id as IssueId) : null;
  if (issue === null) throw new AppError('issue_not_found');
  const role = await roleOf(context, context.caller, issue.repoId);
  if (role === null) {
    throw new AppError('not_owner', { detail: 'This issue belongs to a repository of which you are not a member.' });
  }
  const needed = issueActs[act][issue.userId === context.caller.userId ? 'own' : 'any'];
  if (!includesRole(role, needed)) throw roleInsufficient(role, needed, context.caller.limits);
  return asAuthorized(issue);
}
