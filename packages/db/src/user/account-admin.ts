import { dayBefore, isId, type User, type UserAccount, type UserStore } from '@sluice/core';
import { and, desc, eq, gte, lt, or, type SQL, sql } from 'drizzle-orm';
import { appendAudit } from '../audit/append-audit.ts';
import { idPageOf, parseIdCursor } from '../store/id-page.ts';
import { type Given, prepared } from '../store/prepared.ts';
import { type StoreContext, write } from '../store/store-context.ts';
import { endSessions, isLive } from './end-sessions.ts';
import { emailKey, toUser } from './user-row.ts';

type AccountAdmin = Pick<UserStore, 'accounts' | 'account' | 'disable' | 'enable'>;

const setDisabled = prepared(({ context, db }, given: Given<{ id: User['id']; now: Date }>) => {
  const { users } = context.database.tables;
  return db
    .update(users)
    .set({ disabledAt: sql`coalesce(${users.disabledAt}, ${given('now', users.disabledAt)})` })
    .where(eq(users.id, given('id', users.id)))
    .returning({ id: users.id });
});

const setEnabled = prepared(({ context, db }, given: Given<{ id: User['id'] }>) => {
  const { users } = context.database.tables;
  return db
    .update(users)
    .set({ disabledAt: null })
    .where(eq(users.id, given('id', users.id)))
    .returning({ id: users.id });
});

/** User administration for operators. */
export function createAccountAdmin(context: StoreContext): AccountAdmin {
  const { database } = context;
  const { read, tables } = database;
  const { users, credentials, sessions, failedLogins } = tables;

  const isLiveOf = () => and(eq(sessions.userId, users.id), isLive(tables, context.clock.now()));
  /** Of the last seven days, to spot a current wave of attacks. */
  const failedLoginsOf = () =>
    read
      .select({ sum: sql<string>`coalesce(sum(${failedLogins.count}), 0)` })
      .from(failedLogins)
      .where(and(eq(failedLogins.userId, users.id), gte(failedLogins.day, dayBefore(context.clock.now(), 6))));
  const readAccounts = async (where: SQL | undefined, limit: number): Promise<(UserAccount & { id: User['id'] })[]> => {
    const rows = await read
      .select({
        user: users,
        passwordOf: credentials.userId,
        liveSessions: read.$count(sessions, isLiveOf()),
        failed: sql<string | number>`(${failedLoginsOf()})`,
      })
      .from(users)
      .leftJoin(credentials, eq(credentials.userId, users.id))
      .where(where)
      .orderBy(desc(users.id))
      .limit(limit);
    return rows.map(({ user, passwordOf, liveSessions, failed }) => ({
      id: user.id,
      user: toUser(user),
      hasPassword: passwordOf !== null,
      disabledAt: user.disabledAt,
      liveSessions,
      failedLogins: Number(failed), // Postgres gives a sum as text
    }));
  };

  return {
    accounts: async ({ limit, cursor }) => {
      const before = parseIdCursor<User['id']>('users', cursor);
      const rows = await readAccounts(before === null ? undefined : lt(users.id, before), limit + 1);
      const { items, nextCursor } = idPageOf(rows, { limit, cursor, list: 'users' });
      return { items: items.map(withoutId), nextCursor };
    },

    account: async (idOrEmail) => {
      const byEmail = eq(users.emailKey, emailKey(idOrEmail));
      const [row] = await readAccounts(
        isId(idOrEmail) ? or(eq(users.id, idOrEmail as User['id']), byEmail) : byEmail,
        1,
      );
      return row === undefined ? null : withoutId(row);
    },

    disable: (id, audit) =>
      write(context, async (write) => {
        const disabled = await setDisabled(write, { id, now: write.now });
        if (disabled.length === 0) return [];
        const ended = await endSessions(write, id, null);
        await appendAudit(write, audit?.(ended.length));
        return ended;
      }),

    enable: (id, audit) =>
      write(context, async (write) => {
        const enabled = await setEnabled(write, { id });
        if (enabled.length > 0) await appendAudit(write, audit);
      }),
  };
}

function withoutId({ id: _, ...account }: UserAccount & { id: User['id'] }): UserAccount {
  return account;
}
