import type { Authorized } from '../access/authorized.ts';
import type { Role } from '../access/role.ts';
import { neededOnRepo } from '../access/role-needed.ts';
import type { UserStore } from '../account/user-store.ts';
import type { Clock } from '../async/clock.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import { AppError } from '../error/app-error.ts';
import { type Ids, type InvitationId, isId } from '../id/id.ts';
import type { Repo } from '../repo/repo.ts';
import { hashInvitationToken, type Invitation, invitationEnd, renderInvitationToken } from './invitation.ts';
import type { InvitationStore } from './invitation-store.ts';

/** A repository whose admin acts. */
type OwnRepo = Authorized<Repo, 'configure'>;

interface InviteContext {
  readonly invitations: Pick<InvitationStore, 'create'>;
  readonly users: Pick<UserStore, 'find'>;
  readonly ids: Ids;
  readonly clock: Clock;
}

interface InvitationDraft {
  readonly email: string;
  /** The repository and role that the account gets. The initiator is its admin, or an operator where there is none. */
  readonly into: { readonly repo: OwnRepo; readonly role: Role } | null;
  /** 32 random bytes. */
  readonly secret: Uint8Array;
}

/**
 * Invites somebody to make an account.
 *
 * @returns also the token, which is stored nowhere
 * @throws AppError `invitation_for_account`, `invitations_full`, `account_disabled`; `role_insufficient` when the initiator is no
 * longer an admin of the repository
 */
export async function invite(
  { invitations, users, ids, clock }: InviteContext,
  { email, into, secret }: InvitationDraft,
  by: Initiator,
): Promise<{ readonly invitation: Invitation; readonly token: string }> {
  if ((await users.find({ email })) !== null) throw new AppError('invitation_for_account');
  const token = renderInvitationToken(secret);
  const id = ids.next() as InvitationId;
  const detail = { repo_id: into?.repo.id ?? null, role: into?.role ?? null };
  const outcome = await invitations.create(
    {
      id,
      tokenHash: hashInvitationToken(token),
      email,
      repo: into === null ? null : { id: into.repo.id, role: into.role },
      invitedBy: by.userId,
      expiresAt: invitationEnd(clock.now()),
    },
    auditEntry(
      by,
      { action: 'invitation.created', subjectId: id, detail },
      into === null ? undefined : neededOnRepo('configure', into.repo),
    ),
  );
  if (outcome.kind === 'full') throw new AppError('invitations_full');
  if (outcome.kind === 'disabled') throw new AppError('account_disabled');
  return { invitation: outcome.invitation, token };
}

/**
 * Takes an invitation back: its link no longer works.
 *
 * @param request `repo`: the repository whose admin does it; null: an operator does
 * @throws AppError `invitation_not_found`, also for one into another repository
 */
export async function withdrawInvitation(
  { invitations }: { readonly invitations: Pick<InvitationStore, 'remove'> },
  request: { readonly id: string; readonly repo: OwnRepo | null; readonly by: Initiator },
): Promise<void> {
  const { by, repo } = request;
  const id = request.id as InvitationId;
  const audit = auditEntry(
    by,
    { action: 'invitation.withdrawn', subjectId: id, detail: {} },
    repo === null ? undefined : neededOnRepo('configure', repo),
  );
  const isRemoved = isId(id) && (await invitations.remove(id, repo === null ? 'all' : { repoId: repo.id }, audit));
  if (!isRemoved) throw new AppError('invitation_not_found');
}
