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

/** The roles that users have by their accounts at the code host. */
export interface MirroredRoles {
  readonly repoId: RepoId;
  /** By the id of the account. */
  readonly roles: ReadonlyMap<string, Role>;
}

type RemoveMemberOutcome =
  | 'removed'
  /** They were no member, or registered the repository. */
  | 'absent'
  /** Their role comes from the code host, and would come back. */
  | 'mirrored';

type PutMemberOutcome =
  | { readonly kind: 'put'; readonly member: Member }
  /** They registered the repository, so they are its admin. */
  | { readonly kind: 'registrant' }
  /** The repository has `MAX_MEMBERS` of them. */
  | { readonly kind: 'full' }
  | { readonly kind: 'absent' };

/**
 * The roles of users in repositories. The user who registered one is its admin, without a row of their own. Removed
 * repositories have no members.
 */
export interface MemberStore extends RoleReader, ApproverReader {
  /** The caller's role in each repository in which they have one. */
  rolesOf(caller: Caller): Promise<ReadonlyMap<RepoId, Role>>;
  /** All members, the user who registered it first, then by when they became one. */
  list(repoId: RepoId): Promise<readonly Member[]>;
  /** Adds a member, or changes the role of one. `absent` for a repository or a user that does not exist. */
  put(member: NewMember, audit?: NewAuditEntry): Promise<PutMemberOutcome>;
  remove(repoId: RepoId, userId: UserId, audit?: NewAuditEntry): Promise<RemoveMemberOutcome>;
  /**
   * Makes the mirrored members of a repository those whose accounts are given, as far as they have users here. A role that an
   * admin has given stays. Each change has an audit entry of the service.
   *
   * @returns the users whose role has changed, and how many found no place below `MAX_MEMBERS`
   */
  mirror(mirrored: MirroredRoles): Promise<{ readonly changed: readonly UserId[]; readonly leftOut: number }>;
}
