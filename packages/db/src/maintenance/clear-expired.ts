import { dayBefore, FAILED_LOGIN_DAYS, type MaintenanceStore } from '@sluice/core';
import { and, inArray, isNull, lt, lte, or, sql } from 'drizzle-orm';
import { type StoreContext, write } from '../store/store-context.ts';

/** Deletes expired sessions, sign-ins and stored responses, and old counts of failed logins. */
export async function clearExpired(
  context: StoreContext,
  { before, limit }: Parameters<MaintenanceStore['clearExpired']>[0],
): Promise<boolean> {
  const { sessions, failedLogins, codehostFlows, loginGrants, requestAnswers } = context.database.tables;
  const deletions = [
    // One transaction each, so that other writers wait for one kind only.
    () =>
      write(context, async ({ db }) => {
        const over = or(
          lt(sessions.expiresAt, before),
          lt(sessions.revokedAt, before),
          lt(sessions.idleEndsAt, before),
        );
        const some = db.select({ id: sessions.id }).from(sessions).where(over).limit(limit);
        return await db.delete(sessions).where(inArray(sessions.id, some)).returning({ id: sessions.id });
      }),
    () =>
      write(context, async ({ db }) => {
        const over = lt(codehostFlows.expiresAt, before);
        const some = db.select({ nonce: codehostFlows.nonce }).from(codehostFlows).where(over).limit(limit);
        return await db.delete(codehostFlows).where(inArray(codehostFlows.nonce, some)).returning();
      }),
    () =>
      write(context, async ({ db }) => {
        const over = lt(loginGrants.expiresAt, before);
        const some = db.select({ grantHash: loginGrants.grantHash }).from(loginGrants).where(over).limit(limit);
        const isSome = inArray(loginGrants.grantHash, some);
        return await db.delete(loginGrants).where(isSome).returning({ grantHash: loginGrants.grantHash });
      }),
    () =>
      write(context, async ({ db }) => {
        // A request that is still being carried out is kept, however old it is.
        const isFree = or(isNull(requestAnswers.heldUntil), lte(requestAnswers.heldUntil, context.database.at(0)));
        const over = and(lt(requestAnswers.createdAt, before), isFree);
        const { userId, route, key } = requestAnswers;
        const some = db.select({ userId, route, key }).from(requestAnswers).where(over).limit(limit);
        const isSome = sql`(${userId}, ${route}, ${key}) in ${some}`;
        return await db.delete(requestAnswers).where(and(isSome, over)).returning({ key });
      }),
    () =>
      write(context, async ({ db }) => {
        const over = lt(failedLogins.day, dayBefore(before, FAILED_LOGIN_DAYS));
        const some = db.select({ userId: failedLogins.userId }).from(failedLogins).where(over).limit(limit);
        return await db
          .delete(failedLogins)
          .where(and(inArray(failedLogins.userId, some), over))
          .returning({ day: failedLogins.day });
      }),
  ];
  let isMore = false;
  for (const deletion of deletions) isMore = (await deletion()).length >= limit || isMore;
  return isMore;
}
