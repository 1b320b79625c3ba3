import type { User, UserStore } from '@sluice/core';
import { eq } from 'drizzle-orm';
import type { Tables } from '../schema.ts';
import { type StoreContext, write } from '../store-context.ts';
import { storedText } from '../stored-text.ts';

/** Users and their password hashes, on whatever database `context` holds. */
export function createUserStore(context: StoreContext): UserStore {
  const { database } = context;
  const { read, tables } = database;
  const { users, credentials } = tables;
  return {
    create: ({ id, email, name, passwordHash, onlyIfFirst }) =>
      write(context, async ({ db, now }) => {
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
        return { kind: 'created', user: toUser(row) };
      }),

    get: async (id) => {
      const [row] = await read.select().from(users).where(eq(users.id, id));
      return row === undefined ? null : toUser(row);
    },

    credentials: async (email) => {
      const [row] = await read
        .select({ user: users, passwordHash: credentials.passwordHash })
        .from(users)
        .leftJoin(credentials, eq(credentials.userId, users.id))
        .where(eq(users.emailKey, emailKey(email)));
      return row === undefined ? null : { user: toUser(row.user), passwordHash: row.passwordHash };
    },

    setPasswordHash: (id, passwordHash) =>
      write(context, async ({ db, now }) => {
        const set = { passwordHash, updatedAt: now };
        await db
          .insert(credentials)
          .values({ userId: id, ...set })
          .onConflictDoUpdate({ target: credentials.userId, set });
      }),
  };
}

/** What is the same e-mail. Composed first: the same letters can be typed in two ways. */
function emailKey(email: string): string {
  return storedText(email).normalize('NFC').toLowerCase();
}

export function toUser({ emailKey: _, ...user }: Tables['users']['$inferSelect']): User {
  return user;
}
