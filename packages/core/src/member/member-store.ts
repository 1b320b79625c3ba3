import type { ApproverReader, Caller, RoleReader } from '../access/caller.ts';
import type { Role } from '../access/role.ts';
import type { NewAuditEntry } from '../audit/audit-catalog.ts';
import type { RepoId, UserId } from '../id/id.ts';
import type { Member, MemberOrigin } from './member.ts';

export interface NewMember {
  readonly repoId: RepoId;
  readonly userId: UserId;
  readonly role: Role;
  readonly origin: MemberOrigin;
}

export type PutMemberOutcome =
  | { readonly kind: 'put'; readonly member: Member }
  /** They registered the repository, so they are its admin. */
  | { readonly kind: 'registrant' }
  /** The repository has `MOST_MEMBERS` of them. */
  | { readonly kind: 'full' }
  | { readonly kind: 'absent' };

/**
 * Who may do what in which repository. The user who registered one is its admin, without a row of their own. Removed
 * repositories have no members.
 */
export interface MemberStore extends RoleReader, ApproverReader {
  /** The caller's role in each repository in which they have one. */
  rolesOf(caller: Caller): Promise<ReadonlyMap<RepoId, Role>>;
  /** All members, the user who registered it first, then by when they became one. */
  list(repoId: RepoId): Promise<readonly Member[]>;
  /** Adds a member, or changes the role of one. `absent` for a repository or a user that does not exist. */
  put(member: NewMember, audit?: NewAuditEntry): Promise<PutMemberOutcome>;
  /** False when they were no member, or registered the repository. */
  remove(repoId: RepoId, userId: UserId, audit?: NewAuditEntry): Promise<boolean>;
}
