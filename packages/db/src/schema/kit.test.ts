import { count, eq, like } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { migratedFolder } from '../../test/scratch.ts';
import { openSqliteDatabase } from '../sqlite/open-sqlite-database.ts';
import type { Db } from './kit.ts';
import type { Tables } from './schema.ts';

describe('the column kit', () => {
  it('brings back every kind of value as it went in', async () => {
    const database = openSqliteDatabase({ dataDir: await migratedFolder() });
    const { slots, users, sessions } = database.tables;
    const at = new Date('2026-11-20T09:15:00.123Z');
    await database.tx(async (db) => {
      await db.insert(slots).values([
        { number: 1, retired: false },
        { number: 2, retired: true },
      ]);
      await db.insert(users).values({ id: 'u' as never, email: 'a\0@b', emailKey: null, createdAt: at });
      await db.insert(sessions).values({ id: 's' as never, userId: 'u' as never, createdAt: at, expiresAt: at });
    });
    expect(await database.read.select().from(slots)).toEqual([
      { number: 1, retired: false },
      { number: 2, retired: true },
    ]);
    expect(await database.read.select().from(users)).toMatchObject([{ email: 'a@b', name: null, createdAt: at }]);
    // A value that is compared with goes the same way as one that is stored.
    expect(await database.read.select({ id: users.id }).from(users).where(eq(users.email, 'a@\0b'))).toHaveLength(1);
    expect(await database.read.select({ many: count() }).from(sessions)).toEqual([{ many: 1 }]);
    await database.close();
  });

  it('refuses a write on the handle for reading', async () => {
    const database = openSqliteDatabase({ dataDir: await migratedFolder() });
    const { slots } = database.tables;
    await expect(database.read.insert(slots).values({ number: 1, retired: false })).rejects.toThrow(/readonly/);
    await database.close();
  });
});

/** Never runs: it is here to be compiled. What the engines do differently must not even type-check. */
export function whatMustNotCompile(db: Db, { issues, slots }: Tables) {
  return [
    // @ts-expect-error a transaction of drizzle's loses atomicity on better-sqlite3
    () => db.transaction(async () => {}),
    // @ts-expect-error the drivers answer it differently
    () => db.execute('select 1'),
    // @ts-expect-error the relational queries need a schema that the handle does not have
    () => db.query.issues,
    // @ts-expect-error a row count: use returning()
    async () => (await db.delete(slots)).rowCount,
    // @ts-expect-error a row count by its other name
    async () => (await db.delete(slots)).changes,
    // @ts-expect-error not a status
    () => db.update(issues).set({ status: 'done' }),
    // @ts-expect-error not a number
    () => db.update(slots).set({ number: 'one' }),
    // @ts-expect-error labels are strings
    () => db.update(issues).set({ labels: [1] }),
    // @ts-expect-error the database numbers the rows
    (): keyof Tables['events']['$inferInsert'] => 'ordinal',
    // @ts-expect-error not a column
    () => db.select().from(issues).where(eq(issues.absent, 1)),
    () => db.select().from(issues).where(like(issues.title, '%')),
  ];
}
