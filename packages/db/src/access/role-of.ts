import { includesRole, type Role, type RoleNeeded, roleInsufficient } from '@sluice/core/access';
import { AppError } from '@sluice/core/error';
import type { RepoId, UserId } from '@sluice/core/id';
import { and, eq, isNull } from 'drizzle-orm';
import { type Given, type Handle, prepared } from '../store/prepared.ts';
import type { Write } from '../store/store-context.ts';

const selectRole = prepared(({ context, db }, given: Given<{ repoId: RepoId; userId: UserId }>) => {
  const { repos, repoMembers: members } = context.database.tables;
  return db
    .select({ registrant: repos.userId, role: members.role })
    .from(repos)
    .leftJoin(members, and(eq(members.repoId, repos.id), eq(members.userId, given('userId', members.userId))))
    .where(and(eq(repos.id, given('repoId', repos.id)), isNull(repos.removedAt)));
});

/** `MemberStore.role`. */
export async function readRole(on: Handle, repoId: RepoId, userId: UserId): Promise<Role | null> {
  const [row] = await selectRole(on, { repoId, userId });
  if (row === undefined) return null;
  return row.registrant === userId ? 'admin' : row.role;
}

/**
 * Refuses the write of a user who has lost the role since the command was checked.
 *
 * @throws AppError `not_owner`, `role_insufficient`, and nothing is written
 */
export async function requireRole(write: Write, userId: UserId, { repoId, role: needed }: RoleNeeded): Promise<void> {
  const role = await readRole(write, repoId, userId);
  if (role === null) throw new AppError('not_owner', { detail: 'You are no longer a member of this repository.' });
  if (!includesRole(role, needed)) throw roleInsufficient(role, needed);
}
