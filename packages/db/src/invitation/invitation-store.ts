import type { InvitationId, RepoId } from '@sluice/core/id';
import { type Invitation, type InvitationStore, type InvitationsOf, MAX_INVITATIONS } from '@sluice/core/invitation';
import { and, desc, eq, gt, isNotNull, isNull, lt } from 'drizzle-orm';
import { appendAudit } from '../audit/append-audit.ts';
import type { Db } from '../schema/kit.ts';
import type { Tables } from '../schema/schema.ts';
import { idPageOf, parseIdCursor } from '../store/id-page.ts';
import { type StoreContext, write } from '../store/store-context.ts';
import { holdUser } from '../user/hold-user.ts';
import { emailKey } from '../user/user-row.ts';

/** Rows of invitations, each with its repository and who invited. */
function selectInvitations(db: Db, { invitations, repos, users }: Tables) {
  return db
    .select({
      row: invitations,
      repoName: repos.name,
      invitedBy: { id: users.id, name: users.name, email: users.email, codehostLogin: users.codehostLogin },
    })
    .from(invitations)
    .innerJoin(users, eq(users.id, invitations.userId))
    .leftJoin(repos, eq(repos.id, invitations.repoId));
}

function toInvitation({ row, repoName, invitedBy }: Awaited<ReturnType<typeof selectInvitations>>[number]): Invitation {
  const { id, email, repoId, role, createdAt, expiresAt } = row;
  const repo = repoId === null || role === null ? null : { id: repoId, name: repoName ?? '', role };
  return { id, email, repo, invitedBy, createdAt, expiresAt };
}

/** Invitations. Like sessions they expire by the service's clock. */
export function createInvitationStore(context: StoreContext): InvitationStore {
  const { read, tables } = context.database;
  const { invitations } = tables;
  /** The same condition as that of its index. */
  const isInto = (repoId: RepoId) => and(eq(invitations.repoId, repoId), isNotNull(invitations.repoId));
  const isOf = (of: InvitationsOf) => (of === 'all' ? undefined : isInto(of.repoId));
  return {
    create: ({ repo, invitedBy, ...invitation }, audit) =>
      write(context, async (write) => {
        const { db, now } = write;
        // So that two requests at once count each other.
        if (!(await holdUser(write, invitedBy))?.isEnabled) return { kind: 'disabled' };
        const isWaiting = and(isNull(invitations.usedAt), gt(invitations.expiresAt, now));
        const waiting = await db
          .select({ id: invitations.id })
          .from(invitations)
          .where(and(eq(invitations.userId, invitedBy), isWaiting))
          .limit(MAX_INVITATIONS);
        if (waiting.length >= MAX_INVITATIONS) return { kind: 'full' };
        await appendAudit(write, audit);
        const key = emailKey(invitation.email);
        const isSame = repo === null ? isNull(invitations.repoId) : isInto(repo.id);
        await db.delete(invitations).where(and(eq(invitations.emailKey, key), isSame, isNull(invitations.usedAt)));
        const into = { repoId: repo?.id ?? null, role: repo?.role ?? null };
        const row = { ...invitation, ...into, emailKey: key, userId: invitedBy, createdAt: now };
        await db.insert(invitations).values(row);
        const [created] = await selectInvitations(db, tables).where(eq(invitations.id, invitation.id));
        if (created === undefined) throw new Error('An invitation vanished in the middle of its own transaction.');
        return { kind: 'created', invitation: toInvitation(created) };
      }),

    list: async (of, { limit, cursor }) => {
      const before = parseIdCursor<InvitationId>('invitations', cursor);
      const isLater = before === null ? undefined : lt(invitations.id, before);
      const rows = await selectInvitations(read, tables)
        .where(and(isOf(of), isNull(invitations.usedAt), isLater))
        .orderBy(desc(invitations.id))
        .limit(limit + 1);
      return idPageOf(rows.map(toInvitation), { limit, cursor, list: 'invitations' });
    },

    remove: (id, of, audit) =>
      write(context, async (write) => {
        const removed = await write.db
          .delete(invitations)
          .where(and(eq(invitations.id, id), isOf(of), isNull(invitations.usedAt)))
          .returning({ id: invitations.id });
        if (removed.length > 0) await appendAudit(write, audit);
        return removed.length > 0;
      }),
  };
}
