import { type AccountFilter, dayBefore, type User, type UserAccount, type UserStore } from '@sluice/core/account';
import { isId } from '@sluice/core/id';
import { and, desc, eq, gt, gte, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { appendAudit } from '../audit/append-audit.ts';
import { idPageOf, parseIdCursor } from '../store/id-page.ts';
import { type Given, prepared } from '../store/prepared.ts';
import { type StoreContext, write } from '../store/store-context.ts';
import { endSessions, isLive } from './end-sessions.ts';
import { isLastOperator } from './operators.ts';
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
    .where(and(eq(users.id, given('id', users.id)), isNull(users.deletedAt)))
    .returning({ id: users.id });
});

/** User administration for operators. */
export function createAccountAdmin(context: StoreContext): AccountAdmin {
  const { database } = context;
  const { read, tables } = database;
  const { users, credentials, sessions, failedLogins, apiTokens, auditEntries, repos, secondFactors } = tables;

  const isLiveOf = () => and(eq(sessions.userId, users.id), isLive(tables, context.clock.now()));
  /** The failed logins of the last seven days, to spot a current wave of attacks. */
  const failedLoginsOf = () =>
    read
      .select({ sum: sql<string>`coalesce(sum(${failedLogins.count}), 0)` })
      .from(failedLogins)
      .where(and(eq(failedLogins.userId, users.id), gte(failedLogins.day, dayBefore(context.clock.now(), 6))));
  const isLiveTokenOf = () =>
    and(eq(apiTokens.userId, users.id), isNull(apiTokens.revokedAt), gt(apiTokens.expiresAt, context.clock.now()));
  // Each of them in its own column: the engines have no common function for the greatest of values that may be null.
  const lastUseOf = () => ({
    session: read
      .select({ at: sql`max(${sessions.lastSeenAt})` })
      .from(sessions)
      .where(eq(sessions.userId, users.id)),
    token: read
      .select({ at: sql`max(${apiTokens.lastUsedAt})` })
      .from(apiTokens)
      .where(eq(apiTokens.userId, users.id)),
    act: read
      .select({ at: auditEntries.at })
      .from(auditEntries)
      .where(and(eq(auditEntries.userId, users.id), eq(auditEntries.actor, 'user')))
      .orderBy(desc(auditEntries.ordinal))
      .limit(1),
  });
  const readAccounts = async (where: SQL | undefined, limit: number): Promise<(UserAccount & { id: User['id'] })[]> => {
    const lastUse = lastUseOf();
    const rows = await read
      .select({
        user: users,
        passwordOf: credentials.userId,
        liveSessions: read.$count(sessions, isLiveOf()),
        failed: sql<string | number>`(${failedLoginsOf()})`,
        sessionUse: sql<Date | null>`(${lastUse.session})`.mapWith(sessions.lastSeenAt),
        tokenUse: sql<Date | null>`(${lastUse.token})`.mapWith(apiTokens.lastUsedAt),
        act: sql<Date | null>`(${lastUse.act})`.mapWith(auditEntries.at),
        factors: read.$count(secondFactors, eq(secondFactors.userId, users.id)),
        liveTokens: read.$count(apiTokens, isLiveTokenOf()),
        repos: read.$count(repos, and(eq(repos.userId, users.id), isNull(repos.removedAt))),
      })
      .from(users)
      .leftJoin(credentials, eq(credentials.userId, users.id))
      .where(where)
      .orderBy(desc(users.id))
      .limit(limit);
    return rows.map(({ user, passwordOf, failed, sessionUse, tokenUse, act, factors, ...counts }) => ({
      id: user.id,
      user: toUser(user),
      hasPassword: passwordOf !== null,
      disabledAt: user.disabledAt,
      deletedAt: user.deletedAt,
      failedLogins: Number(failed), // Postgres gives a sum as text
      lastSeenAt: latest([sessionUse, tokenUse, act]),
      hasSecondFactor: factors > 0,
      ...counts,
    }));
  };

  /** A walk of all users: an installation has thousands at most, and only operators search them. */
  const contains = (search: string) => {
    const pattern = `%${emailKey(search).replaceAll(/[\\%_]/g, '\\$&')}%`;
    const matches = (column: SQL) => sql`${column} like ${pattern} escape '\\'`;
    return or(
      matches(sql`${users.emailKey}`),
      matches(sql`lower(${users.name})`),
      matches(sql`lower(${users.codehostLogin})`),
    );
  };

  const matching = ({ search, state }: AccountFilter) => {
    const isInState = {
      active: isNull(users.disabledAt),
      disabled: isNotNull(users.disabledAt),
      operator: and(eq(users.isOperator, true), isNull(users.disabledAt)),
    };
    return and(search === undefined ? undefined : contains(search), state === undefined ? undefined : isInState[state]);
  };

  return {
    accounts: async ({ limit, cursor }, filter = {}) => {
      const before = parseIdCursor<User['id']>('users', cursor);
      const isLater = before === null ? undefined : lt(users.id, before);
      const rows = await readAccounts(and(isLater, matching(filter)), limit + 1);
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

    disable: (id, options, audit) =>
      write(context, async (write) => {
        if (options?.evenLastOperator === false && (await isLastOperator(write, id))) return { kind: 'last_operator' };
        const disabled = await setDisabled(write, { id, now: write.now });
        if (disabled.length === 0) return { kind: 'disabled', endedSessions: [] };
        const endedSessions = await endSessions(write, id, null);
        await appendAudit(write, audit?.(endedSessions.length));
        return { kind: 'disabled', endedSessions };
      }),

    enable: (id, audit) =>
      write(context, async (write) => {
        const enabled = await setEnabled(write, { id });
        if (enabled.length > 0) await appendAudit(write, audit);
      }),
  };
}

function latest(times: readonly (Date | null)[]): Date | null {
  return times.reduce((last, at) => (last === null || (at !== null && at > last) ? at : last), null);
}

function withoutId({ id: _, ...account }: UserAccount & { id: User['id'] }): UserAccount {
  return account;
}
