import type { Role } from '@sluice/core/access';
import type { AuditAct } from '@sluice/core/audit';
import type { RepoId, UserId } from '@sluice/core/id';
import { MAX_MEMBERS, type MemberOrigin, type MirroredRoles } from '@sluice/core/member';
import { and, asc, eq, inArray } from 'drizzle-orm';
import { holdRepo } from '../access/hold-repo.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { inChunks } from '../event/append-events.ts';
import type { Write } from '../store/store-context.ts';
import { forgetNotifications } from './forget-notifications.ts';

const ORIGIN = 'mirrored' satisfies MemberOrigin;

/** `MemberStore.mirror`. */
export async function mirrorMembers(
  write: Write,
  { repoId, roles }: MirroredRoles,
): Promise<{ changed: UserId[]; leftOut: number }> {
  const { context, db, now } = write;
  const { repoMembers: members } = context.database.tables;
  const registrant = await holdRepo(write, repoId);
  const remaining = await usersOf(write, roles);
  remaining.delete(registrant);
  const rows = await db
    .select({ userId: members.userId, role: members.role, origin: members.origin })
    .from(members)
    .where(eq(members.repoId, repoId));
  const isIt = (userId: UserId) => and(eq(members.repoId, repoId), eq(members.userId, userId));
  const changed: UserId[] = [];
  let left = 0;
  const note = async (userId: UserId, act: AuditAct) => {
    const needs = { repoId, role: 'admin' } as const;
    await appendAudit(write, { userId: registrant, actor: { kind: 'service' }, act, needs });
    changed.push(userId);
  };

  for (const { userId, role, origin } of rows) {
    const newRole = remaining.get(userId);
    remaining.delete(userId);
    if (origin !== ORIGIN || role === newRole) continue;
    if (newRole === undefined) {
      await note(userId, removed(repoId, userId));
      await db.delete(members).where(isIt(userId));
      await forgetNotifications(write, repoId, userId);
      left += 1;
    } else {
      await note(userId, put(repoId, userId, newRole));
      await db.update(members).set({ role: newRole, updatedAt: now }).where(isIt(userId));
    }
  }
  const room = Math.max(0, MAX_MEMBERS - rows.length + left);
  const fresh = [...remaining].slice(0, room);
  for (const [userId, role] of fresh) {
    await note(userId, put(repoId, userId, role));
    await db.insert(members).values({ repoId, userId, role, origin: ORIGIN, createdAt: now, updatedAt: now });
  }
  return { changed, leftOut: remaining.size - fresh.length };
}

/** The users to whom the accounts are linked. */
async function usersOf({ context, db }: Write, roles: MirroredRoles['roles']): Promise<Map<UserId, Role>> {
  const { users } = context.database.tables;
  const found = new Map<UserId, Role>();
  for (const some of inChunks([...roles.keys()])) {
    const rows = await db
      .select({ id: users.id, codehostId: users.codehostId })
      .from(users)
      .where(inArray(users.codehostId, some))
      .orderBy(asc(users.id));
    for (const { id, codehostId } of rows) {
      const role = codehostId === null ? undefined : roles.get(codehostId);
      if (role !== undefined) found.set(id, role);
    }
  }
  return found;
}

function put(repoId: RepoId, userId: UserId, role: Role): AuditAct {
  return { action: 'repo.member_put', subjectId: repoId, detail: { user_id: userId, role, mirrored: true } };
}

function removed(repoId: RepoId, userId: UserId): AuditAct {
  return { action: 'repo.member_removed', subjectId: repoId, detail: { user_id: userId, mirrored: true } };
}
