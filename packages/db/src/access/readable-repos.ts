import { type Caller, includesRole, type Role, roles } from '@sluice/core/access';
import type { RepoId, UserId } from '@sluice/core/id';
import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { Given, Handle } from '../store/prepared.ts';

/** Whose repositories are meant, and whether one of them alone. */
export interface Readable {
  readonly reader: UserId;
  readonly onlyRepo: RepoId;
}

export interface ReadableShape {
  readonly isLimited: boolean;
  /** The role that is needed; left out: any. */
  readonly needed?: Role | undefined;
}

/** The values and the shape of `readableRepos` for a caller. */
export function readableBy({ userId, limits }: Caller): { readonly values: Readable; readonly shape: ReadableShape } {
  const onlyRepo = limits?.repoId ?? null;
  // Where the shape leaves it out it is never read.
  return { values: { reader: userId, onlyRepo: onlyRepo as RepoId }, shape: { isLimited: onlyRepo !== null } };
}

/**
 * The ids of the repositories in which the reader has the role that is needed: those that they registered, and those of which
 * they are a member. An `in` on it is answered from an index for each repository.
 */
export function readableRepos(
  { context, db }: Handle,
  given: Given<Readable>,
  { isLimited, needed = 'viewer' }: ReadableShape,
): SQL {
  const { repos, repoMembers } = context.database.tables;
  const registered = db
    .select({ id: repos.id })
    .from(repos)
    .where(
      and(
        eq(repos.userId, given('reader', repos.userId)),
        isNull(repos.removedAt),
        isLimited ? eq(repos.id, given('onlyRepo', repos.id)) : undefined,
      ),
    );
  const joined = db
    .select({ id: repoMembers.repoId })
    .from(repoMembers)
    .where(
      and(
        eq(repoMembers.userId, given('reader', repoMembers.userId)),
        needed === 'viewer' ? undefined : inArray(repoMembers.role, rolesWith(needed)),
        isLimited ? eq(repoMembers.repoId, given('onlyRepo', repoMembers.repoId)) : undefined,
      ),
    );
  return sql`(select id from ${registered.as('registered')} union all select repo_id from ${joined.as('joined')})`;
}

function rolesWith(needed: Role): Role[] {
  return roles.filter((role) => includesRole(role, needed));
}
