import type { UserId } from '@sluice/core/id';
import { newId } from '@sluice/testing';
import { eq, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { migratedFolder } from '../../test/scratch.ts';
import { openSqliteDatabase } from '../sqlite/open-sqlite-database.ts';
import { type Given, prepared } from './prepared.ts';
import type { StoreContext } from './store-context.ts';

it('maps rows as drizzle does: nested, decoded, and null where a join found nothing', async () => {
  const database = openSqliteDatabase({ dataDir: await migratedFolder() });
  const { users, credentials } = database.tables;
  const now = new Date('2026-11-20T09:15:00.123Z');
  const [one, other] = [newId<UserId>(), newId<UserId>()];
  await database.tx(async (db) => {
    await db
      .insert(users)
      .values([one, other].map((id) => ({ id, email: null, emailKey: id, name: 'Ada', createdAt: now })));
    await db.insert(credentials).values({ userId: other, passwordHash: 'hash', updatedAt: now });
  });
  const context = { database } as StoreContext;
  const build = ({ db }: { db: typeof database.read }) =>
    db
      .select({
        user: users,
        credentials,
        hash: credentials.passwordHash,
        seen: sql<number>`1 + 1`.mapWith(String),
      })
      .from(users)
      .leftJoin(credentials, eq(credentials.userId, users.id))
      .orderBy(users.id);
  const rows = await prepared((on, _given: Given<object>) => build(on))({ context, db: database.read }, {});
  expect(rows).toEqual(await build({ db: database.read }));
  expect(rows).toMatchObject([
    { user: { id: one, createdAt: now, disabledAt: null }, credentials: null, hash: null, seen: '2' },
    { user: { id: other }, credentials: { userId: other, updatedAt: now }, hash: 'hash' },
  ]);
  await database.close();
});
