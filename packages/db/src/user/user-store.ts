import { type PreferencesChange, toPreferences, type UserStore } from '@sluice/core/account';
import type { UserId } from '@sluice/core/id';
import { and, eq, isNull } from 'drizzle-orm';
import { appendAudit } from '../audit/append-audit.ts';
import type { Tables } from '../schema/schema.ts';
import { type Given, prepared } from '../store/prepared.ts';
import { preparedInsert } from '../store/prepared-insert.ts';
import { type StoreContext, write } from '../store/store-context.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { createAccountAdmin } from './account-admin.ts';
import { changeAccount } from './change-account.ts';
import { findCredentials, putCredentials } from './credentials.ts';
import { createFailedLogins } from './failed-logins.ts';
import { hasUsers } from './has-users.ts';
import { holdUser } from './hold-user.ts';
import { createOperators } from './operators.ts';
import { emailKey, toUser } from './user-row.ts';

const findUser = prepared(({ context, db }, given: Given<{ id: UserId }>) => {
  const { users } = context.database.tables;
  return db
    .select()
    .from(users)
    .where(eq(users.id, given('id', users.id)));
});

const findByEmail = prepared(({ context, db }, given: Given<{ emailKey: string }>) => {
  const { users, credentials } = context.database.tables;
  return db
    .select({ user: users, passwordHash: credentials.passwordHash })
    .from(users)
    .leftJoin(credentials, eq(credentials.userId, users.id))
    .where(and(eq(users.emailKey, given('emailKey', users.emailKey)), isNull(users.disabledAt)));
});

const findByAccount = prepared(({ context, db }, given: Given<{ codehostId: string }>) => {
  const { users } = context.database.tables;
  return db
    .select()
    .from(users)
    .where(and(eq(users.codehostId, given('codehostId', users.codehostId)), isNull(users.disabledAt)));
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
    create: async ({ id, email, name, passwordHash, onlyIfFirst, ...invitation }, audit) => {
      const { invitationHash = null, onlyOperatorsInvite = false } = invitation;
      const isToBeFirst = !(await hasUsers(reading));
      return await write(context, async (write) => {
        const { db, now } = write;
        if (isToBeFirst) await database.lockDispatch(db); // no row to lock is there yet
        const isOperator = isToBeFirst && !(await hasUsers(write));
        const invited =
          invitationHash === null
            ? null
            : await acceptInvitation(write, {
                ...{ userId: id, tokenHash: invitationHash, emailKey: emailKey(email) },
                onlyOperatorsInvite,
              });
        if (invitationHash !== null && invited === null) return { kind: 'invitation_invalid' };
        if (onlyIfFirst && !isOperator && invited === null) return { kind: 'closed' };
        const values = { id, email, emailKey: emailKey(email), name, isOperator, createdAt: now };
        const [row] = await insertUnlessTaken(write, [values]);
        if (row === undefined) return { kind: 'email_taken' };
        await putCredentials(write, { userId: id, passwordHash, now });
        await appendAudit(write, audit);
        await invited?.finish();
        return { kind: 'created', user: toUser(row) };
      });
    },

    get: async (id) => {
      const [row] = await findUser(reading, { id });
      return row === undefined ? null : toUser(row);
    },

    find: async (who) => {
      const [row] = await ('email' in who
        ? findByEmail(reading, { emailKey: emailKey(who.email) }).then((rows) => rows.map(({ user }) => user))
        : findByAccount(reading, who));
      return row === undefined ? null : toUser(row);
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
    ...createOperators(context),
    ...createFailedLogins(context),
  };
}

const find = prepared(({ context, db }, given: Given<{ id: UserId }>) => {
  const { users } = context.database.tables;
  return db
    .select({ preferences: users.preferences })
    .from(users)
    .where(eq(users.id, given('id', users.id)));
});

const set = prepared(({ context, db }, given: Given<{ id: UserId; preferences: PreferencesChange }>) => {
  const { users } = context.database.tables;
  return db
    .update(users)
    .set({ preferences: given('preferences', users.preferences) })
    .where(eq(users.id, given('id', users.id)));
});

/** The preferences of users, as members that they have set. Those of a newer release are kept. */
function createPreferences(context: StoreContext): Pick<UserStore, 'preferences' | 'changePreferences'> {
  return {
    preferences: async (id) => {
      const [row] = await find({ context, db: context.database.read }, { id });
      return toPreferences(row?.preferences);
    },
    changePreferences: (id, change) =>
      write(context, async (write) => {
        if ((await holdUser(write, id)) === null) return toPreferences(null);
        const [row] = await find(write, { id });
        const given = Object.entries(change).filter(([, value]) => value !== undefined);
        const preferences = { ...row?.preferences, ...Object.fromEntries(given) };
        await set(write, { id, preferences });
        return toPreferences(preferences);
      }),
  };
}
