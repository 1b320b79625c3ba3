import type { AccountChange, ChangeAccountOutcome, EndingAudit, UserId } from '@sluice/core';
import { eq, sql } from 'drizzle-orm';
import { appendAudit } from '../audit/append-audit.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';
import { endSessions } from './end-sessions.ts';
import { holdUser } from './hold-user.ts';
import { emailKey, toUser } from './user-row.ts';

/** `UserStore.changeAccount`, under a lock on the user's row, so that no login comes in between. */
export async function changeAccount(
  context: StoreContext,
  id: UserId,
  change: AccountChange & { audit?: EndingAudit | undefined },
): Promise<ChangeAccountOutcome> {
  const { users, credentials } = context.database.tables;
  const { name, email, passwordHash, keep, ifPasswordHash, audit } = change;
  return await write(context, async (write) => {
    const { db, now } = write;
    if ((await holdUser(write, id)) === null) return { kind: 'stale' };
    if (ifPasswordHash !== undefined) {
      const [own] = await db.select().from(credentials).where(eq(credentials.userId, id));
      if ((own?.passwordHash ?? null) !== ifPasswordHash) return { kind: 'stale' };
    }
    if (email !== undefined && !(await reserveEmail(write, id, email))) return { kind: 'email_taken' };
    const [row] = await db
      .update(users)
      .set({
        ...(name !== undefined && { name }),
        ...(email !== undefined && { email, emailKey: emailKey(email) }),
        createdAt: sql`${users.createdAt}`,
      })
      .where(eq(users.id, id))
      .returning();
    if (row === undefined) return { kind: 'stale' };
    const endedSessions = passwordHash === undefined ? [] : await endSessions(write, id, keep);
    if (passwordHash !== undefined) {
      const set = { passwordHash, updatedAt: now };
      await db
        .insert(credentials)
        .values({ userId: id, ...set })
        .onConflictDoUpdate({ target: credentials.userId, set });
    }
    appendAudit(write, audit?.(endedSessions.length));
    return { kind: 'changed', user: toUser(row), endedSessions };
  });
}

/**
 * Whether the user can have the e-mail address. Checked by inserting a temporary row: only `insert` can wait for a
 * concurrent claim of the same address and report the conflict without an error.
 */
async function reserveEmail({ context, db, now }: Write, id: UserId, email: string): Promise<boolean> {
  const { users } = context.database.tables;
  const [own] = await db.select({ emailKey: users.emailKey }).from(users).where(eq(users.id, id));
  if (own?.emailKey === emailKey(email)) return true;
  const placeholder = `${id}:email` as UserId;
  const reserved = await db
    .insert(users)
    .values({ id: placeholder, emailKey: emailKey(email), createdAt: now })
    .onConflictDoNothing({ target: users.emailKey })
    .returning({ id: users.id });
  if (reserved.length === 0) return false;
  await db.delete(users).where(eq(users.id, placeholder));
  return true;
}
