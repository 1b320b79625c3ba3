import type { SessionId, UserId } from '@sluice/core';
import { and, eq, gt, isNull, ne, or, type SQL } from 'drizzle-orm';
import type { Tables } from '../schema/schema.ts';
import type { Write } from '../store/store-context.ts';

export function isLive({ sessions }: Pick<Tables, 'sessions'>, now: Date | SQL<Date>): SQL | undefined {
  const isInUse = or(isNull(sessions.idleEndsAt), gt(sessions.idleEndsAt, now));
  return and(isNull(sessions.revokedAt), gt(sessions.expiresAt, now), isInUse);
}

/** Ends a user's live sessions except `keep`. The caller holds the user's row, so that no session starts meanwhile. */
export async function endSessions(write: Write, userId: UserId, keep: SessionId | null): Promise<SessionId[]> {
  const { tables } = write.context.database;
  const { sessions } = tables;
  const ended = await write.db
    .update(sessions)
    .set({ revokedAt: write.now })
    .where(
      and(eq(sessions.userId, userId), isLive(tables, write.now), keep === null ? undefined : ne(sessions.id, keep)),
    )
    .returning({ id: sessions.id });
  return ended.map(({ id }) => id);
}
