import {
  type AccountChange,
  accountLinkPurposes,
  type ChangeAccountOutcome,
  type EndingAudit,
} from '@sluice/core/account';
import type { UserId } from '@sluice/core/id';
import { eq, sql } from 'drizzle-orm';
import { appendAudit } from '../audit/append-audit.ts';
import type { Tables } from '../schema/schema.ts';
import { type Given, prepared, preparedShapes } from '../store/prepared.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';
import { findCredentials, putCredentials } from './credentials.ts';
import { endSessions } from './end-sessions.ts';
import { holdUser } from './hold-user.ts';
import { emailKey, toUser } from './user-row.ts';
import { voidLinks } from './void-links.ts';

type Changed = Pick<Tables['users']['$inferSelect'], 'id' | 'name' | 'email' | 'emailKey'>;

interface AccountShape {
  readonly name: boolean;
  readonly email: boolean;
  /** Whether the e-mail is another address, and not the same one in another case. */
  readonly isOther: boolean;
}

const setAccount = preparedShapes(({ context, db }, given: Given<Changed>, { name, email, isOther }: AccountShape) => {
  const { users } = context.database.tables;
  return db
    .update(users)
    .set({
      ...(name && { name: given('name', users.name) }),
      ...(email && { email: given('email', users.email), emailKey: given('emailKey', users.emailKey) }),
      ...(isOther && { emailVerifiedAt: null }),
      createdAt: sql`${users.createdAt}`,
    })
    .where(eq(users.id, given('id', users.id)))
    .returning();
});

const findEmailKey = prepared(({ context, db }, given: Given<{ id: UserId }>) => {
  const { users } = context.database.tables;
  return db
    .select({ emailKey: users.emailKey })
    .from(users)
    .where(eq(users.id, given('id', users.id)));
});

const insertReservation = prepared(({ context, db }, given: Given<{ id: UserId; emailKey: string; now: Date }>) => {
  const { users } = context.database.tables;
  return db
    .insert(users)
    .values({
      id: given('id', users.id),
      emailKey: given('emailKey', users.emailKey),
      createdAt: given('now', users.createdAt),
    })
    .onConflictDoNothing({ target: users.emailKey })
    .returning({ id: users.id });
});

const deleteReservation = prepared(({ context, db }, given: Given<{ id: UserId }>) => {
  const { users } = context.database.tables;
  return db.delete(users).where(eq(users.id, given('id', users.id)));
});

/** `UserStore.changeAccount`, under a lock on the user's row, so that no login comes in between. */
export async function changeAccount(
  context: StoreContext,
  id: UserId,
  change: AccountChange & { audit?: EndingAudit | undefined },
): Promise<ChangeAccountOutcome> {
  const { name, email, passwordHash, keep, ifPasswordHash, audit } = change;
  return await write(context, async (write) => {
    const { now } = write;
    if ((await holdUser(write, id)) === null) return { kind: 'stale' };
    if (ifPasswordHash !== undefined) {
      const [own] = await findCredentials(write, { userId: id });
      if ((own?.passwordHash ?? null) !== ifPasswordHash) return { kind: 'stale' };
    }
    const reserved = email === undefined ? 'own' : await reserveEmail(write, id, email);
    if (reserved === 'taken') return { kind: 'email_taken' };
    const isOther = reserved === 'free';
    const shape = { name: name !== undefined, email: email !== undefined, isOther };
    const key = email === undefined ? null : emailKey(email);
    const [row] = await setAccount(write, shape, { id, name: name ?? null, email: email ?? null, emailKey: key });
    if (row === undefined) return { kind: 'stale' };
    const endedSessions = passwordHash === undefined ? [] : await endSessions(write, id, keep);
    if (passwordHash !== undefined) await putCredentials(write, { userId: id, passwordHash, now });
    if (isOther) await voidLinks(write, id, accountLinkPurposes);
    else if (passwordHash !== undefined) await voidLinks(write, id, ['password_reset']);
    await appendAudit(write, audit?.(endedSessions.length));
    return { kind: 'changed', user: toUser(row), endedSessions };
  });
}

/**
 * Whether the user can have the e-mail address, or has it already. Checked by inserting a temporary row: only `insert` can wait for a
 * concurrent claim of the same address and report the conflict without an error.
 */
async function reserveEmail(write: Write, id: UserId, email: string): Promise<'own' | 'free' | 'taken'> {
  const [own] = await findEmailKey(write, { id });
  if (own?.emailKey === emailKey(email)) return 'own';
  const placeholder = `${id}:email` as UserId;
  const reserved = await insertReservation(write, { id: placeholder, emailKey: emailKey(email), now: write.now });
  if (reserved.length === 0) return 'taken';
  await deleteReservation(write, { id: placeholder });
  return 'free';
}
