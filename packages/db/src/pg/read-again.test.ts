import { type PostgresDatabases, sharedPostgres } from '@sluice/testing';
import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migratedDatabase } from '../../test/scratch.ts';
import { openPgDatabase } from './open-pg-database.ts';

let server: PostgresDatabases;
beforeAll(async () => {
  server = await sharedPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

describe('a read that is prepared', () => {
  it('is parsed once for each connection, and any other read is not kept', async () => {
    const database = await openPgDatabase({ url: await migratedDatabase(server), applicationName: 'one', poolSize: 1 });
    const { slots } = database.tables;
    const parsed = sql<number>`(select count(*)::int from pg_prepared_statements)`;
    await database.tx((db) => db.insert(slots).values({ number: 7, retired: false }));
    const ask = database.read.select({ parsed }).from(slots).prepare('prepared');
    expect(await ask.execute()).toEqual([{ parsed: 4 }]); // the insert, `begin`, `commit`, and itself
    await database.read.select().from(slots);
    expect(await ask.execute()).toEqual([{ parsed: 4 }]);
    await database.close();
  });

  it.each([
    ['the tables were changed since', 'alter table slots alter column number type bigint'],
    ['its session was made to forget it', 'deallocate all'],
  ])('is prepared again when %s', async (_when, change) => {
    const database = await openPgDatabase({ url: await migratedDatabase(server), applicationName: 'one', poolSize: 1 });
    const { slots } = database.tables;
    await database.tx((db) => db.insert(slots).values({ number: 7, retired: false }));
    const ask = database.read.select({ retired: slots.retired, number: slots.number }).from(slots).prepare('prepared');
    await ask.execute();
    await database.tx((db) => (db as unknown as NodePgDatabase).execute(sql.raw(change)));
    expect(await ask.execute()).toHaveLength(1);
    await database.close();
  });
});
