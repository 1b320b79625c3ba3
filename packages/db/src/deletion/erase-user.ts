import type { UserId } from '@sluice/core/id';
import { and, eq } from 'drizzle-orm';
import type { Tables } from '../schema/schema.ts';
import type { Write } from '../store/store-context.ts';

/** The tables whose rows go with their user. Of the others with a user, `KEPT_TABLES` says that they stay. */
export const ERASED_TABLES = [
  'credentials',
  'failedLogins',
  'sessions',
  'accountLinks',
  'secondFactors',
  'recoveryCodes',
  'loginChallenges',
  'apiTokens',
  'codehostGrants',
  'loginGrants',
  'oidcIdentities',
  'notificationTargets',
  'invitations',
  'repoMembers',
  'requestAnswers',
] as const satisfies readonly (keyof Tables)[];

/** Issues and their events are their repository's, repositories have been settled before, and the audit log is never changed. */
export const KEPT_TABLES = ['issues', 'events', 'repos', 'auditEntries'] as const satisfies readonly (keyof Tables)[];

/** Deletes all that is a user's, and leaves their row without anything that names them. The caller holds it. */
export async function eraseUser({ context, db, now }: Write, userId: UserId): Promise<void> {
  const { tables } = context.database;
  for (const name of ERASED_TABLES) {
    const table = tables[name];
    await db.delete(table).where(eq(table.userId, userId));
  }
  const { users, budgets, invitations } = tables;
  const [left] = await db.select({ emailKey: users.emailKey }).from(users).where(eq(users.id, userId));
  // The invitation with which they came.
  if (left?.emailKey) await db.delete(invitations).where(eq(invitations.emailKey, left.emailKey));
  await db.delete(budgets).where(and(eq(budgets.kind, 'user'), eq(budgets.subject, userId)));
  await db
    .update(users)
    .set({
      email: null,
      emailKey: null,
      emailVerifiedAt: null,
      name: null,
      avatarUrl: null,
      codehostId: null,
      codehostLogin: null,
      preferences: null,
      isOperator: false,
      // So that whatever asks whether somebody may still act finds that they may not.
      disabledAt: now,
      deletedAt: now,
    })
    .where(eq(users.id, userId));
}
