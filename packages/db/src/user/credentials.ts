import type { UserId } from '@sluice/core/id';
import { eq } from 'drizzle-orm';
import { excluded } from '../store/excluded.ts';
import { type Given, prepared } from '../store/prepared.ts';

/** The password hash of a user; none without a password. */
export const findCredentials = prepared(({ context, db }, given: Given<{ userId: UserId }>) => {
  const { credentials } = context.database.tables;
  return db
    .select()
    .from(credentials)
    .where(eq(credentials.userId, given('userId', credentials.userId)));
});

/** Writes the password hash of a user in place of any earlier one. */
export const putCredentials = prepared(
  ({ context, db }, given: Given<{ userId: UserId; passwordHash: string; now: Date }>) => {
    const { credentials } = context.database.tables;
    const { userId, passwordHash, updatedAt } = credentials;
    return db
      .insert(credentials)
      .values({
        userId: given('userId', userId),
        passwordHash: given('passwordHash', passwordHash),
        updatedAt: given('now', updatedAt),
      })
      .onConflictDoUpdate({ target: userId, set: excluded({ passwordHash, updatedAt }) });
  },
);
