import type { Authorized } from '../access/authorized.ts';
import type { Role } from '../access/role.ts';
import { neededOnRepo } from '../access/role-needed.ts';
import type { UserStore } from '../account/user-store.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import { AppError } from '../error/app-error.ts';
import type { UserId } from '../id/id.ts';
import type { Signals } from '../issue/signals.ts';
import type { Repo } from '../repo/repo.ts';
import type { Member } from './member.ts';
import type { MemberStore } from './member-store.ts';

interface MembersContext {
  readonly members: MemberStore;
  readonly signals: Pick<Signals, 'accessChanged'>;
}

export interface AddMemberContext extends MembersContext {
  readonly users: Pick<UserStore, 'find'>;
}

interface MemberRequest {
  readonly role: Role;
  readonly by: Initiator;
}

/**
 * Gives a user, named by e-mail or by login at the code host, a role in a repository. One who is a member already gets the
 * new role.
 *
 * @throws AppError `user_not_found`, `member_is_registrant`, `members_full`; `repo_not_found` after a concurrent removal;
 * `role_insufficient` when the caller is no longer an admin
 */
export async function addMember(
  context: AddMemberContext,
  repo: Authorized<Repo, 'configure'>,
  {
    who,
    ...request
  }: MemberRequest & { readonly who: { readonly email: string } | { readonly codehostLogin: string } },
): Promise<Member> {
  const user = await context.users.find(who);
  if (user === null) {
    const named = 'email' in who ? `the e-mail ${who.email}` : `the login ${who.codehostLogin} at the code host`;
    throw new AppError('user_not_found', {
      detail: `No account on this server has ${named}. They have to register, or link their account, first.`,
    });
  }
  return await putMember(context, repo, { ...request, userId: user.id });
}

/**
 * Gives a member another role. An id alone neither adds nor shows a user.
 *
 * @throws AppError `member_not_found`, and as `addMember`
 */
export async function changeMember(
  context: MembersContext,
  repo: Authorized<Repo, 'configure'>,
  request: MemberRequest & { readonly userId: UserId },
): Promise<Member> {
  if ((await context.members.role(repo.id, request.userId)) === null) throw new AppError('member_not_found');
  return await putMember(context, repo, request);
}

async function putMember(
  { members, signals }: MembersContext,
  repo: Authorized<Repo, 'configure'>,
  { userId, role, by }: MemberRequest & { readonly userId: UserId },
): Promise<Member> {
  const detail = { user_id: userId, role };
  const audit = auditEntry(
    by,
    { action: 'repo.member_put', subjectId: repo.id, detail },
    neededOnRepo('configure', repo),
  );
  const outcome = await members.put({ repoId: repo.id, userId, role, origin: 'added' }, audit);
  switch (outcome.kind) {
    case 'put':
      signals.accessChanged(userId);
      return outcome.member;
    case 'registrant':
      throw new AppError('member_is_registrant');
    case 'full':
      throw new AppError('members_full');
    case 'absent':
      throw new AppError('user_not_found');
  }
}

/**
 * Takes a user's role in a repository. Admins may remove any member; every member may leave.
 *
 * @throws AppError `member_not_found`, `member_is_registrant`
 */
export async function removeMember(
  { members, signals }: MembersContext,
  repo: Authorized<Repo>,
  { userId, by }: { readonly userId: UserId; readonly by: Initiator },
): Promise<void> {
  if (repo.userId === userId) throw new AppError('member_is_registrant');
  const isLeaving = userId === by.userId;
  const audit = auditEntry(
    by,
    { action: 'repo.member_removed', subjectId: repo.id, detail: { user_id: userId } },
    neededOnRepo(isLeaving ? 'read' : 'configure', repo),
  );
  if (!(await members.remove(repo.id, userId, audit))) throw new AppError('member_not_found');
  signals.accessChanged(userId);
}
