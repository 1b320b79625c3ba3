import type { Authorized } from '../access/authorized.ts';
import type { Role } from '../access/role.ts';
import { neededOnRepo } from '../access/role-needed.ts';
import type { UserStore } from '../account/user-store.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import type { CodeHost } from '../code-host/code-host.ts';
import type { CodeHostTokens } from '../code-host/code-host-tokens.ts';
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
  /** Null where no code host is configured. */
  readonly codehost: { readonly host: Pick<CodeHost, 'accountNamed'> } | null;
  readonly codehostTokens: Pick<CodeHostTokens, 'callAsUser'> | null;
  /** Whether users can verify their e-mail addresses: then only a verified one names a user. */
  readonly verifiesEmail: boolean;
}

/** Whether the admin may invite somebody who has no account yet. */
interface MayInvite {
  readonly mayInvite: boolean;
}

interface MemberRequest {
  readonly role: Role;
  readonly by: Initiator;
}

/** A user by their e-mail here, or by their login at the code host. */
type NamedUser = { readonly email: string } | { readonly codehostLogin: string };

/**
 * Gives a user, named by e-mail or by login at the code host, a role in a repository. One who is a member already gets the
 * new role. The host is asked to whom a login belongs: one that was given up may belong to somebody else.
 *
 * @throws AppError `user_not_found`, `member_is_registrant`, `members_full`; `repo_not_found` after a concurrent removal;
 * `role_insufficient` when the caller is no longer an admin; for a login what calls to the code host throw
 */
export async function addMember(
  context: AddMemberContext,
  repo: Authorized<Repo, 'configure'>,
  {
    who,
    signal,
    mayInvite,
    ...request
  }: MemberRequest & MayInvite & { readonly who: NamedUser; readonly signal: AbortSignal },
): Promise<Member> {
  const known = 'email' in who ? who : await accountOf(context, repo, { ...who, by: request.by, signal });
  const user = known === null ? null : await context.users.find(known);
  const { verifiesEmail } = context;
  // Anybody can register an address that is not theirs, and would be let in in place of its owner.
  const isUnproven = 'email' in who && verifiesEmail && user?.emailVerifiedAt === null;
  if (user === null || isUnproven) throw notFound(who, { verifiesEmail, canInvite: mayInvite && 'email' in who });
  return await putMember(context, repo, { ...request, userId: user.id });
}

/** Asks in the name of the registrant, whose account the repository is reached with, or else of the admin who adds the member. */
async function accountOf(
  { codehost, codehostTokens }: AddMemberContext,
  repo: Repo,
  question: { readonly codehostLogin: string; readonly by: Initiator; readonly signal: AbortSignal },
): Promise<{ readonly codehostId: string } | null> {
  if (codehost === null || codehostTokens === null) return null;
  const asker = repo.provider === 'codehost' ? repo.userId : question.by.userId;
  try {
    const { id } = await codehostTokens.callAsUser(asker, question.signal, (call) =>
      codehost.host.accountNamed(call, question.codehostLogin),
    );
    return { codehostId: id };
  } catch (error) {
    if (error instanceof AppError && error.code === 'codehost_not_found') return null;
    throw error;
  }
}

function notFound(
  who: NamedUser,
  { verifiesEmail, canInvite }: { readonly verifiesEmail: boolean; readonly canInvite: boolean },
): AppError {
  const [named, first] =
    'email' in who
      ? [
          `the ${verifiesEmail ? 'verified ' : ''}e-mail ${who.email}`,
          verifiesEmail ? 'register, and verify the e-mail in their settings,' : 'register',
        ]
      : [`the login ${who.codehostLogin} at the code host`, 'link their account'];
  const next = canInvite ? `Invite the user, or let them ${first} first.` : `The user has to ${first} first.`;
  return new AppError('user_not_found', {
    detail: `No account on this server has ${named}. ${next}`,
    body: { can_invite: canInvite },
  });
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
 * @throws AppError `member_not_found`, `member_is_registrant`, `member_is_mirrored`
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
  const outcome = await members.remove(repo.id, userId, audit);
  if (outcome === 'absent') throw new AppError('member_not_found');
  if (outcome === 'mirrored') throw new AppError('member_is_mirrored');
  signals.accessChanged(userId);
}
