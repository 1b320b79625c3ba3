import { AppError, type UserId } from '@sluice/core';
import { eq, sql } from 'drizzle-orm';
import type { Write } from '../store/store-context.ts';

/**
 * Takes a user's row to the end of the transaction: logins, and what decides whether there may be any, come one after
 * the other. A statement that changes nothing, as one engine of the two has no `for update`.
 *
 * @returns null when there is no such user
 */
export async function holdUser(write: Write, id: UserId): Promise<{ isEnabled: boolean } | null> {
  const { users } = write.context.database.tables;
  const [held] = await write.db
    .update(users)
    .set({ createdAt: sql`${users.createdAt}` })
    .where(eq(users.id, id))
    .returning({ disabledAt: users.disabledAt });
  return held === undefined ? null : { isEnabled: held.disabledAt === null };
}

/**
 * Begins nothing for a user who is locked out, in this transaction: whoever locks him out finds all that was begun before,
 * and a request of his that was under way then begins nothing after it.
 *
 * @throws AppError `account_disabled`
 */
export async function refuseDisabled(write: Write, id: UserId): Promise<void> {
  if ((await holdUser(write, id))?.isEnabled === false) throw new AppError('account_disabled');
}
