import type { UserId, UserStore } from '@sluice/core';
import { and, asc, eq, isNull, lte } from 'drizzle-orm';
import { appendAudit } from '../audit/append-audit.ts';
import { type Given, prepared } from '../store/prepared.ts';
import { type StoreContext, write } from '../store/store-context.ts';
import { createAccountAdmin } from './account-admin.ts';
import { changeAccount } from './change-account.ts';
import { createFailedLogins } from './failed-logins.ts';
import { emailKey, toUser } from './user-row.ts';

const findUser = prepared(({ context, db }, given: Given<{ id: UserId }>) => {
  const { users } = context.database.tables;
  return db
    .select()
    .from(users)
    .where(eq(users.id, given('id', users.id)));
});

// The ids are UUIDv7, so they are in the order in which the accounts were made.
const firstUpTo = prepared(({ context, db }, given: Given<{ id: UserId }>) => {
  const { users } = context.database.tables;
  return db
    .select({ id: users.id })
    .from(users)
    .where(lte(users.id, given('id', users.id)))
    .orderBy(asc(users.id))
    .limit(1);
});

const findByEmail = prepared(({ context, db }, given: Given<{ emailKey: string }>) => {
  const { users, credentials } = context.database.tables;
  return db
    .select({ user: users, passwordHash: credentials.passwordHash })
    .from(users)
    .leftJoin(credentials, eq(credentials.userId, users.id))
    .where(and(eq(users.emailKey, given('emailKey', users.emailKey)), isNull(users.disabledAt)));
});

const findCredentials = prepared(({ context, db }, given: Given<{ userId: UserId }>) => {
  const { credentials } = context.database.tables;
  return db
    .select()
    .from(credentials)
    .where(eq(credentials.userId, given('userId', credentials.userId)));
});

/** Users and their password hashes. */
export function createUserStore(context: StoreContext): UserStore {
  const { database } = context;
  const { read, tables } = database;
  const { users, credentials } = tables;
  const reading = { context, db: read };
  return {
    create: ({ id, email, name, passwordHash, onlyIfFirst }, audit) =>
      write(context, async (write) => {
        const { db, now } = write;
        if (onlyIfFirst) {
          await database.lockDispatch(db); // no row to lock is there yet
          const others = await db.select({ id: users.id }).from(users).limit(1);
          if (others.length > 0) return { kind: 'closed' };
        }
        const [row] = await db
          .insert(users)
          .values({ id, email, emailKey: emailKey(email), name, createdAt: now })
          .onConflictDoNothing({ target: users.emailKey })
          .returning();
        if (row === undefined) return { kind: 'email_taken' };
        await db.insert(credentials).values({ userId: id, passwordHash, updatedAt: now });
        appendAudit(write, audit);
        return { kind: 'created', user: toUser(row) };
      }),

    get: async (id) => {
      const [row] = await findUser(reading, { id });
      return row === undefined ? null : toUser(row);
    },

    isFirst: async (id) => {
      const [first] = await firstUpTo(reading, { id });
      return first?.id === id;
    },

    credentials: async (email) => {
      const [row] = await findByEmail(reading, { emailKey: emailKey(email) });
      return row === undefined ? null : { user: toUser(row.user), passwordHash: row.passwordHash };
    },

    passwordHash: async (id) => {
      const [row] = await findCredentials(reading, { userId: id });
      return row?.passwordHash ?? null;
    },

    rehash: (id, { before, after }) =>
      write(context, async ({ db, now }) => {
        const written = await db
          .update(credentials)
          .set({ passwordHash: after, updatedAt: now })
          .where(and(eq(credentials.userId, id), eq(credentials.passwordHash, before)))
          .returning({ userId: credentials.userId });
        return written.length > 0;
      }),

    changeAccount: (id, change, audit) => changeAccount(context, id, { ...change, audit }),
    ...createAccountAdmin(context),
    ...createFailedLogins(context),
  };
}
