import type { UserId, UserStore } from '@sluice/core';
import { and, asc, eq, isNull, lte } from 'drizzle-orm';
import { appendAudit } from '../audit/append-audit.ts';
import type { Tables } from '../schema/schema.ts';
import { type Given, prepared } from '../store/prepared.ts';
import { preparedInsert } from '../store/prepared-insert.ts';
import { type StoreContext, write } from '../store/store-context.ts';
import { createAccountAdmin } from './account-admin.ts';
import { changeAccount } from './change-account.ts';
import { findCredentials, putCredentials } from './credentials.ts';
import { createFailedLogins } from './failed-logins.ts';
import { createPreferences } from './preferences.ts';
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

const findAny = prepared(({ context, db }) => {
  const { users } = context.database.tables;
  return db.select({ id: users.id }).from(users).limit(1);
});

// Waits for a concurrent insert of the same address, and yields to it.
const insertUnlessTaken = preparedInsert(
  ({ users }) => users,
  ({ context, db }, rows: Tables['users']['$inferInsert'][]) => {
    const { users } = context.database.tables;
    return db.insert(users).values(rows).onConflictDoNothing({ target: users.emailKey }).returning();
  },
);

const replaceHash = prepared(
  ({ context, db }, given: Given<{ userId: UserId; before: string; after: string; now: Date }>) => {
    const { credentials } = context.database.tables;
    const { userId, passwordHash, updatedAt } = credentials;
    return db
      .update(credentials)
      .set({ passwordHash: given('after', passwordHash), updatedAt: given('now', updatedAt) })
      .where(and(eq(userId, given('userId', userId)), eq(passwordHash, given('before', passwordHash))))
      .returning({ userId });
  },
);

/** Users and their password hashes. */
export function createUserStore(context: StoreContext): UserStore {
  const { database } = context;
  const reading = { context, db: database.read };
  return {
    create: ({ id, email, name, passwordHash, onlyIfFirst }, audit) =>
      write(context, async (write) => {
        const { db, now } = write;
        if (onlyIfFirst) {
          await database.lockDispatch(db); // no row to lock is there yet
          const others = await findAny(write, {});
          if (others.length > 0) return { kind: 'closed' };
        }
        const [row] = await insertUnlessTaken(write, [{ id, email, emailKey: emailKey(email), name, createdAt: now }]);
        if (row === undefined) return { kind: 'email_taken' };
        await putCredentials(write, { userId: id, passwordHash, now });
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
      write(context, async (write) => {
        const written = await replaceHash(write, { userId: id, before, after, now: write.now });
        return written.length > 0;
      }),

    changeAccount: (id, change, audit) => changeAccount(context, id, { ...change, audit }),
    ...createPreferences(context),
    ...createAccountAdmin(context),
    ...createFailedLogins(context),
  };
}
