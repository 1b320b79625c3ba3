import type { FailedLogins, UserStore } from '@sluice/core';
import { and, desc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import { pageOf, parseCursor } from '../store/page-cursor.ts';
import { type StoreContext, write } from '../store/store-context.ts';
import { emailKey } from './user-row.ts';

type FailedLoginStore = Pick<UserStore, 'addFailedLogins' | 'failedLogins'>;

/** Failed logins by account and day. */
export function createFailedLogins(context: StoreContext): FailedLoginStore {
  const { read, tables } = context.database;
  const { users, failedLogins } = tables;
  return {
    addFailedLogins: async (counted) => {
      const counts = new Map<string, { key: string; day: string; count: number }>();
      for (const { email, day, count } of counted) {
        const key = emailKey(email);
        const before = counts.get(`${day} ${key}`)?.count ?? 0;
        counts.set(`${day} ${key}`, { key, day, count: before + count });
      }
      const keys = [...new Set([...counts.values()].map(({ key }) => key))];
      const known = await read
        .select({ id: users.id, key: users.emailKey })
        .from(users)
        .where(inArray(users.emailKey, keys));
      const idOf = new Map(known.map(({ id, key }) => [key, id]));
      const rows = [...counts.values()].flatMap(({ key, day, count }) => {
        const userId = idOf.get(key);
        return userId === undefined ? [] : [{ userId, day, count }];
      });
      if (rows.length === 0) return;
      // In a fixed order, so that two concurrent writers do not deadlock.
      const ordered = rows.toSorted((a, b) => (`${a.userId} ${a.day}` < `${b.userId} ${b.day}` ? -1 : 1));
      await write(context, async ({ db }) => {
        await db
          .insert(failedLogins)
          .values(ordered)
          .onConflictDoUpdate({
            target: [failedLogins.userId, failedLogins.day],
            set: { count: sql`${failedLogins.count} + excluded.count` },
          });
      });
    },

    failedLogins: async (userId, since, page) => {
      const before = parseCursor('failed_logins', page.cursor);
      const rows = await read
        .select({ day: failedLogins.day, count: failedLogins.count })
        .from(failedLogins)
        .where(
          and(
            eq(failedLogins.userId, userId),
            gte(failedLogins.day, since),
            before === null ? undefined : lt(failedLogins.day, dayOf(before)),
          ),
        )
        .orderBy(desc(failedLogins.day))
        .limit(page.limit + 1);
      const numbered = rows.map((row) => ({ ...row, ordinal: Number(row.day.replaceAll('-', '')) }));
      return pageOf(numbered, { ...page, list: 'failed_logins' }, ({ day, count }): FailedLogins => ({ day, count }));
    },
  };
}

/** `2026-11-20` of 20261120, which is its place in the list. */
function dayOf(ordinal: number): string {
  return String(ordinal).replace(/(\d\d)(\d\d)$/, '-$1-$2');
}
