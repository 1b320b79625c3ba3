import type { RepoId, UserId } from '../id/id.ts';
import { lesserRole, type Role } from './role.ts';

/** The user who asks, with the limits of the API token that they use. */
export interface Caller {
  readonly userId: UserId;
  /** Null without a token. */
  readonly limits: CallerLimits | null;
}

export interface CallerLimits {
  /** At most this role, in every repository. */
  readonly role: Role;
  /** The one repository that the caller is limited to; null for all. */
  readonly repoId: RepoId | null;
}

/** A user without limits. */
export function callerOf(userId: UserId): Caller {
  return { userId, limits: null };
}

export interface RoleReader {
  /** The user's role in the repository; null for none, and for a repository that does not exist. */
  role(repoId: RepoId, userId: UserId): Promise<Role | null>;
}

export interface ApproverReader {
  /**
   * The users among `userIds`, in their order, who may decide at the gates of the repository: they have the role and
   * are not disabled.
   */
  approversAmong(repoId: RepoId, userIds: readonly UserId[]): Promise<readonly UserId[]>;
}

/** The caller's role in a repository, within the limits of their token; null for none. */
export async function roleOf(
  { members }: { readonly members: RoleReader },
  { userId, limits }: Caller,
  repoId: RepoId,
): Promise<Role | null> {
  if (limits !== null && limits.repoId !== null && limits.repoId !== repoId) return null;
  const role = await members.role(repoId, userId);
  return role === null ? null : limitedRole(role, limits);
}

/** What remains of a user's role. */
export function limitedRole(role: Role, limits: Caller['limits']): Role {
  return limits === null ? role : lesserRole(role, limits.role);
}
