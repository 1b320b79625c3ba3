import { AppError } from '@sluice/core/error';
import type { UserId } from '@sluice/core/id';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { type Given, prepared } from '../store/prepared.ts';
import type { Write } from '../store/store-context.ts';

const hold = prepared(({ context, db }, given: Given<{ id: UserId }>) => {
  const { users } = context.database.tables;
  return db
    .update(users)
    .set({ createdAt: sql`${users.createdAt}` })
    .where(and(eq(users.id, given('id', users.id)), isNull(users.deletedAt)))
    .returning({ disabledAt: users.disabledAt });
});

/**
 * Locks a user's row to the end of the transaction, so that logins and account changes come one after the other. It is
 * an update that changes nothing, because SQLite has no `for update`.
 *
 * @returns null when there is no such user, or no longer
 */
export async function holdUser(write: Write, id: UserId): Promise<{ isEnabled: boolean } | null> {
  const [held] = await hold(write, { id });
  return held === undefined ? null : { isEnabled: held.disabledAt === null };
}

const GONE = 'The account of the user who created it was deleted. Create it again with your own.';

/**
 * Refuses new work for a disabled or deleted user, within this transaction. Disabling a user therefore sees all work started
 * before it, and requests that were under way start nothing after it.
 *
 * @throws AppError `account_disabled`
 */
export async function refuseDisabled(write: Write, id: UserId): Promise<void> {
  const held = await holdUser(write, id);
  if (held === null) throw new AppError('account_disabled', { detail: GONE });
  if (!held.isEnabled) throw new AppError('account_disabled');
}

const isOff = prepared(({ context, db }, given: Given<{ id: UserId }>) => {
  const { users } = context.database.tables;
  return db
    .select({ disabledAt: users.disabledAt })
    .from(users)
    .where(eq(users.id, given('id', users.id)));
});

/**
 * Refuses new work in a repository whose registrant is disabled: it would use their account and their key to the remote. Their
 * row is not locked, because two transactions would wait for each other's users; issues of members that have started go on.
 *
 * @throws AppError `registrant_disabled`
 */
export async function refuseDisabledRegistrant(write: Write, registrant: UserId): Promise<void> {
  const [user] = await isOff(write, { id: registrant });
  if (user !== undefined && user.disabledAt !== null) throw new AppError('registrant_disabled');
}
