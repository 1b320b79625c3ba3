import type { AccountLinkPurpose } from '@sluice/core/account';
import type { UserId } from '@sluice/core/id';
import { and, eq } from 'drizzle-orm';
import { type Given, prepared } from '../store/prepared.ts';
import type { Write } from '../store/store-context.ts';

const deleteLinks = prepared(({ context, db }, given: Given<{ userId: UserId; purpose: AccountLinkPurpose }>) => {
  const { accountLinks: links } = context.database.tables;
  const { userId, purpose } = links;
  return db.delete(links).where(and(eq(userId, given('userId', userId)), eq(purpose, given('purpose', purpose))));
});

/** Voids links of a user, in the write that makes them wrong. */
export async function voidLinks(write: Write, userId: UserId, purposes: readonly AccountLinkPurpose[]): Promise<void> {
  for (const purpose of purposes) await deleteLinks(write, { userId, purpose });
}
