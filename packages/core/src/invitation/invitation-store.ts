import type { NewAuditEntry } from '../audit/audit-catalog.ts';
import type { InvitationId, RepoId } from '../id/id.ts';
import type { Page, PageRequest } from '../request/page.ts';
import type { Invitation, NewInvitation } from './invitation.ts';

type CreateInvitationOutcome =
  | { readonly kind: 'created'; readonly invitation: Invitation }
  /** The user has `MAX_INVITATIONS` that wait. */
  | { readonly kind: 'full' }
  /** The user is disabled or does not exist. */
  | { readonly kind: 'disabled' };

/** Which invitations: of one repository, or all. */
export type InvitationsOf = { readonly repoId: RepoId } | 'all';

/** Invitations that wait to be used. One is used in `UserStore.create`, in the write that makes the account. */
export interface InvitationStore {
  /** Replaces one for the same e-mail and repository that waits: its link no longer works. */
  create(invitation: NewInvitation, audit?: NewAuditEntry): Promise<CreateInvitationOutcome>;
  /** Lists the pending invitations, newest first, expired ones too until they are cleared away. */
  list(of: InvitationsOf, page: PageRequest): Promise<Page<Invitation>>;
  /** Takes one back; false when there is none of these that waits. */
  remove(id: InvitationId, of: InvitationsOf, audit?: NewAuditEntry): Promise<boolean>;
}
