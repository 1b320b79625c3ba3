import type { SessionId, UserId } from '@sluice/core/id';
import { and, eq, gt, isNull, ne, or, type SQL } from 'drizzle-orm';
import type { Tables } from '../schema/schema.ts';
import { type Given, prepared } from '../store/prepared.ts';
import type { Write } from '../store/store-context.ts';

export function isLive({ sessions }: Pick<Tables, 'sessions'>, now: Date | SQL<Date>): SQL | undefined {
  const isInUse = or(isNull(sessions.idleEndsAt), gt(sessions.idleEndsAt, now));
  return and(isNull(sessions.revokedAt), gt(sessions.expiresAt, now), isInUse);
}

const revokeLive = prepared(({ context, db }, given: Given<{ userId: UserId; now: Date; keep: SessionId }>) => {
  const { tables } = context.database;
  const { sessions } = tables;
  const now = given('now', sessions.revokedAt);
  const isOfUser = eq(sessions.userId, given('userId', sessions.userId));
  return db
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(isOfUser, isLive(tables, now), ne(sessions.id, given('keep', sessions.id))))
    .returning({ id: sessions.id });
});

const NONE = '' as SessionId;

/** Ends a user's live sessions except `keep`. The caller holds the user's row, so that no session starts meanwhile. */
export async function endSessions(write: Write, userId: UserId, keep: SessionId | null): Promise<SessionId[]> {
  const ended = await revokeLive(write, { userId, now: write.now, keep: keep ?? NONE });
  return ended.map(({ id }) => id);
}
