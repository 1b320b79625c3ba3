import type { SessionStore } from '@sluice/core';
import { and, eq, gt, isNull } from 'drizzle-orm';
import { type StoreContext, write } from '../store-context.ts';
import { toUser } from './user-store.ts';

/**
 * Logins, on whatever database `context` holds. They end by the clock that the service was given, as their cookies do:
 * a second of difference between two hosts means nothing to a session of days.
 */
export function createSessionStore(context: StoreContext): SessionStore {
  const { read, tables } = context.database;
  const { sessions, users } = tables;
  const isLive = (now: Date) => and(isNull(sessions.revokedAt), gt(sessions.expiresAt, now));
  return {
    create: (session) =>
      write(context, async ({ db, now }) => {
        const created = { ...session, createdAt: now };
        await db.insert(sessions).values(created);
        return created;
      }),

    find: async (id) => {
      const [row] = await read
        .select({ session: sessions, user: users })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .where(and(eq(sessions.id, id), isLive(context.clock.now())));
      if (row === undefined) return null;
      const { revokedAt: _, ...session } = row.session;
      return { session, user: toUser(row.user) };
    },

    revoke: (id) =>
      write(context, async ({ db, now }) => {
        const revoked = await db
          .update(sessions)
          .set({ revokedAt: now })
          .where(and(eq(sessions.id, id), isLive(now)))
          .returning({ id: sessions.id });
        return revoked.length > 0;
      }),
  };
}
