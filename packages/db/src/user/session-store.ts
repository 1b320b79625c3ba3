import type { Session, SessionStore } from '@sluice/core';
import { and, desc, eq, isNull, lt, or } from 'drizzle-orm';
import { appendAudit } from '../audit/append-audit.ts';
import type { Tables } from '../schema/schema.ts';
import { idPageOf, parseIdCursor } from '../store/id-page.ts';
import { type StoreContext, write } from '../store/store-context.ts';
import { endSessions, isLive } from './end-sessions.ts';
import { holdUser } from './hold-user.ts';
import { toUser } from './user-row.ts';

/**
 * Sessions. They expire by the service's clock, like their cookies: a difference of a second is irrelevant to a session
 * of days.
 */
export function createSessionStore(context: StoreContext): SessionStore {
  const { read, tables } = context.database;
  const { sessions, users, credentials } = tables;
  return {
    create: ({ ifPasswordHash, client = null, idleEndsAt = null, ...session }, audit) =>
      write(context, async (write) => {
        const { db, now } = write;
        // Disabling a user and changing a password lock the same row: a login either comes first and is ended by it, or
        // comes after it and is refused.
        if (!(await holdUser(write, session.userId))?.isEnabled) return null;
        if (ifPasswordHash !== undefined) {
          const [own] = await db.select().from(credentials).where(eq(credentials.userId, session.userId));
          if (own?.passwordHash !== ifPasswordHash) return null;
        }
        const created = { ...session, client, createdAt: now, lastSeenAt: now, idleEndsAt };
        await db.insert(sessions).values(created);
        await appendAudit(write, audit);
        return created;
      }),

    find: async (id) => {
      const [row] = await read
        .select({ session: sessions, user: users })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .where(and(eq(sessions.id, id), isLive(tables, context.clock.now()), isNull(users.disabledAt)));
      return row === undefined ? null : { session: toSession(row.session), user: toUser(row.user) };
    },

    touch: (id, { unseenSince, idleEndsAt }) =>
      write(context, async ({ db, now }) => {
        const isUnseen = or(isNull(sessions.lastSeenAt), lt(sessions.lastSeenAt, unseenSince));
        await db
          .update(sessions)
          .set({ lastSeenAt: now, idleEndsAt })
          .where(and(eq(sessions.id, id), isLive(tables, now), isUnseen));
      }),

    list: async (userId, { limit, cursor }) => {
      const before = parseIdCursor<Session['id']>('sessions', cursor);
      const rows = await read
        .select()
        .from(sessions)
        .where(
          and(
            eq(sessions.userId, userId),
            isLive(tables, context.clock.now()),
            before === null ? undefined : lt(sessions.id, before),
          ),
        )
        .orderBy(desc(sessions.id))
        .limit(limit + 1);
      return idPageOf(rows.map(toSession), { limit, cursor, list: 'sessions' });
    },

    revoke: (id, audit) =>
      write(context, async (write) => {
        const { db, now } = write;
        const revoked = await db
          .update(sessions)
          .set({ revokedAt: now })
          .where(and(eq(sessions.id, id), isLive(tables, now)))
          .returning({ id: sessions.id });
        if (revoked.length > 0) await appendAudit(write, audit);
        return revoked.length > 0;
      }),

    revokeAll: (userId, audit) =>
      write(context, async (write) => {
        await holdUser(write, userId);
        const ended = await endSessions(write, userId, null);
        await appendAudit(write, audit?.(ended.length));
        return ended;
      }),
  };
}

function toSession({ revokedAt: _, lastSeenAt, ...session }: Tables['sessions']['$inferSelect']): Session {
  return { ...session, lastSeenAt: lastSeenAt ?? session.createdAt };
}
