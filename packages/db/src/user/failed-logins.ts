import type { FailedLogins, UserStore } from '@sluice/core/account';
import type { UserId } from '@sluice/core/id';
import { and, desc, eq, gte, lt, sql } from 'drizzle-orm';
import type { Tables } from '../schema/schema.ts';
import { type GivenList, isAmong, listsOf } from '../store/given-list.ts';
import { pageOf, parseCursor } from '../store/page-cursor.ts';
import { type Given, prepared, preparedShapes } from '../store/prepared.ts';
import { preparedInsert } from '../store/prepared-insert.ts';
import { type StoreContext, write } from '../store/store-context.ts';
import { emailKey } from './user-row.ts';

type FailedLoginStore = Pick<UserStore, 'addFailedLogins' | 'failedLogins'>;

const findKnown = prepared(({ context, db }, given: Given<GivenList<string>>) => {
  const { users } = context.database.tables;
  return db.select({ id: users.id, key: users.emailKey }).from(users).where(isAmong(users.emailKey, given));
});

const addCounts = preparedInsert(
  ({ failedLogins }) => failedLogins,
  ({ context, db }, rows: Tables['failedLogins']['$inferInsert'][]) => {
    const { failedLogins } = context.database.tables;
    return db
      .insert(failedLogins)
      .values(rows)
      .onConflictDoUpdate({
        target: [failedLogins.userId, failedLogins.day],
        set: { count: sql`${failedLogins.count} + excluded.count` },
      });
  },
);

interface Days {
  readonly userId: UserId;
  readonly since: string;
  readonly before: string | null;
  readonly rows: number;
}

const selectDays = preparedShapes(({ context, db }, given: Given<Days>, { isLater }: { isLater: boolean }) => {
  const { failedLogins } = context.database.tables;
  const { userId, day, count } = failedLogins;
  return db
    .select({ day, count })
    .from(failedLogins)
    .where(
      and(
        eq(userId, given('userId', userId)),
        gte(day, given('since', day)),
        isLater ? lt(day, given('before', day)) : undefined,
      ),
    )
    .orderBy(desc(day))
    .limit(given('rows'));
});

/** Failed logins by account and day. */
export function createFailedLogins(context: StoreContext): FailedLoginStore {
  const reading = { context, db: context.database.read };
  return {
    addFailedLogins: async (counted) => {
      const counts = new Map<string, { key: string; day: string; count: number }>();
      for (const { email, day, count } of counted) {
        const key = emailKey(email);
        const before = counts.get(`${day} ${key}`)?.count ?? 0;
        counts.set(`${day} ${key}`, { key, day, count: before + count });
      }
      const keys = [...new Set([...counts.values()].map(({ key }) => key))];
      const idOf = new Map<string | null, UserId>();
      for (const list of listsOf(keys)) {
        for (const { id, key } of await findKnown(reading, list)) idOf.set(key, id);
      }
      const rows = [...counts.values()].flatMap(({ key, day, count }) => {
        const userId = idOf.get(key);
        return userId === undefined ? [] : [{ userId, day, count }];
      });
      if (rows.length === 0) return;
      // In a fixed order, so that two concurrent writers do not deadlock.
      const ordered = rows.toSorted((a, b) => (`${a.userId} ${a.day}` < `${b.userId} ${b.day}` ? -1 : 1));
      await write(context, async (write) => {
        await addCounts(write, ordered);
      });
    },

    failedLogins: async (userId, since, page) => {
      const before = parseCursor('failed_logins', page.cursor);
      const values = { userId, since, before: before === null ? null : dayOf(before), rows: page.limit + 1 };
      const rows = await selectDays(reading, { isLater: before !== null }, values);
      const numbered = rows.map((row) => ({ ...row, ordinal: Number(row.day.replaceAll('-', '')) }));
      return pageOf(numbered, { ...page, list: 'failed_logins' }, ({ day, count }): FailedLogins => ({ day, count }));
    },
  };
}

/** `2026-11-20` of 20261120, which is its place in the list. */
function dayOf(ordinal: number): string {
  return String(ordinal).replace(/(\d\d)(\d\d)$/, '-$1-$2');
}
