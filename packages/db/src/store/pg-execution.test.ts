import type { UserId } from '@sluice/core/id';
import { newId, type PostgresDatabases, sharedPostgres } from '@sluice/testing';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migratedDatabase } from '../../test/scratch.ts';
import type { Database } from '../engine/database.ts';
import { openPgDatabase } from '../pg/open-pg-database.ts';
import { pgExecution } from './pg-execution.ts';
import { type Given, prepared, type Statement } from './prepared.ts';
import { rowMapper } from './row-mapper.ts';
import type { StoreContext } from './store-context.ts';

let server: PostgresDatabases;
let database: Database;
beforeAll(async () => {
  server = await sharedPostgres();
  database = await openPgDatabase({ url: await migratedDatabase(server), applicationName: 'one' });
});
afterAll(async () => {
  await database.close();
  await server[Symbol.asyncDispose]();
});

const now = new Date('2026-11-20T09:15:00.123Z');

describe("an execution of drizzle's prepared statement", () => {
  it('answers as its own does', async () => {
    const { users, credentials } = database.tables;
    const id = newId<UserId>();
    const context = { database } as StoreContext;
    const insert = prepared(({ db }, given: Given<{ id: UserId; email: string | null; at: Date }>) =>
      db.insert(users).values({
        id: given('id', users.id),
        email: given('email', users.email),
        emailKey: 'ada',
        name: 'Ada',
        createdAt: given('at', users.createdAt),
      }),
    );
    await database.tx((db) => insert({ context, db }, { id, email: null, at: now }));
    const select = database.read
      .select({ user: users, credentials, seen: sql<number>`1 + 1`.mapWith(String) })
      .from(users)
      .leftJoin(credentials, eq(credentials.userId, users.id))
      .where(eq(users.id, sql.placeholder('id')))
      .limit(sql.placeholder('limit'));
    const statement = select.prepare('one');
    const own = await statement.execute({ id, limit: 5 });
    const { fields, joinsNotNullableMap } = statement as unknown as Record<string, never>;
    const mapped = Object.assign(statement, { customResultMapper: rowMapper(fields ?? [], joinsNotNullableMap) });
    expect(await pgExecution(mapped)?.({ id, limit: 5 })).toEqual(own);
    expect(own).toMatchObject([{ user: { id, email: null, createdAt: now }, credentials: null, seen: '2' }]);
  });

  it('leaves a statement whose rows only drizzle can map to drizzle', () => {
    const { users } = database.tables;
    expect(pgExecution(database.read.select({ id: users.id }).from(users).prepare('two'))).toBeNull();
  });

  it('fails when a value is missing, and keeps the query out of the failure of one that is refused', async () => {
    const { slots } = database.tables;
    const context = { database } as StoreContext;
    const insert = prepared(
      ({ db }, given: Given<{ number: number }>): Statement =>
        db.insert(slots).values({ number: given('number', slots.number), retired: false }),
    );
    const add = (values: object) => database.tx((db) => insert({ context, db }, values as { number: number }));
    await expect(add({})).rejects.toThrow('no value for "number"');
    await add({ number: 7 });
    const refused: unknown = await add({ number: 7 }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: '23505' });
    expect(String(refused)).not.toContain('insert');
  });
});
