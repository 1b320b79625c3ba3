import { type PostgresDatabases, sharedPostgres } from '@sluice/testing';
import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migratedDatabase } from '../../test/scratch.ts';
import type { Database } from '../engine/database.ts';
import type { Db } from '../schema/kit.ts';
import { openPgDatabase } from './open-pg-database.ts';

let server: PostgresDatabases;
beforeAll(async () => {
  server = await sharedPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

async function open() {
  const url = await migratedDatabase(server);
  const one = await openPgDatabase({ url, applicationName: 'one' });
  const other = await openPgDatabase({ url, applicationName: 'other' });
  return {
    one,
    other,
    [Symbol.asyncDispose]: async () => {
      await one.close();
      await other.close();
    },
  };
}

async function execute(db: Db, statement: string): Promise<unknown> {
  return await (db as unknown as NodePgDatabase).execute(sql.raw(statement));
}

describe('a transaction', () => {
  it('of a frozen process is rolled back, so that others get its lock within seconds, and is repeated when it resumes', async () => {
    await using opened = await open();
    const { one, other } = opened;
    const held = Promise.withResolvers<void>();
    const woken = Promise.withResolvers<void>();
    let begun = 0;
    const stopped = one.tx(async (db) => {
      begun += 1;
      await one.lockDispatch(db);
      await db.insert(one.tables.slots).values({ number: 7, retired: false });
      held.resolve();
      if (begun === 1) await woken.promise; // as long as its process stands still
    });
    await held.promise;
    await other.tx((db) => other.lockDispatch(db));
    expect(await other.read.select().from(other.tables.slots)).toEqual([]);
    woken.resolve();
    await stopped;
    expect(begun).toBe(2);
    expect(await other.read.select().from(other.tables.slots)).toEqual([{ number: 7, retired: false }]);
  });

  it('is repeated when the server ended its connection before it came to the commit', async () => {
    await using opened = await open();
    const { one } = opened;
    const { slots } = one.tables;
    let begun = 0;
    await one.tx(async (db, atEnd) => {
      begun += 1;
      await db.insert(slots).values({ number: 7, retired: false });
      if (begun === 1) atEnd(() => execute(db, 'select pg_terminate_backend(pg_backend_pid())'));
    });
    expect(begun).toBe(2);
    expect(await one.read.select().from(slots)).toEqual([{ number: 7, retired: false }]);
  });

  it('is not repeated when the server ended its connection in the commit', async () => {
    await using opened = await open();
    const { one } = opened;
    const { slots } = one.tables;
    await one.tx(async (db) => {
      await execute(
        db,
        `create function leave() returns trigger language plpgsql
          as 'begin perform pg_terminate_backend(pg_backend_pid()); return null; end'`,
      );
      await execute(
        db,
        `create constraint trigger at_commit after insert on slots
          deferrable initially deferred for each row execute function leave()`,
      );
    });
    let begun = 0;
    const added = one.tx(async (db, atEnd) => {
      begun += 1;
      atEnd(() => db.insert(slots).values({ number: 7, retired: false }));
    });
    await expect(added).rejects.toMatchObject({ code: 'not_ready' });
    expect(begun).toBe(1);
  });

  it('has a statement parsed once, however often its connection runs it', async () => {
    await using opened = await open();
    const { one } = opened;
    const { slots } = one.tables;
    await one.tx((db) => db.insert(slots).values({ number: 7, retired: false }));
    const parsed = sql<number>`(select count(*)::int from pg_prepared_statements)`;
    const ask = () => one.tx((db) => db.select({ parsed }).from(slots));
    expect(await ask()).toEqual([{ parsed: 4 }]); // the insert, itself, `begin` and `commit`
    expect(await ask()).toEqual([{ parsed: 4 }]);
  });

  it.each([
    ['the tables were changed since', 'alter table slots alter column number type bigint'],
    ['somebody made its session forget it', null],
  ])('prepares its statements again when %s', async (_when, change) => {
    await using opened = await open();
    const { one, other } = opened;
    const { slots } = one.tables;
    const run = (database: Database, statement: string) => database.tx((db) => execute(db, statement));
    let begun = 0;
    const add = (number: number) =>
      one.tx(async (db) => {
        begun += 1;
        return await db.insert(slots).values({ number, retired: false }).returning();
      });
    await add(7);
    if (change === null) await run(one, 'deallocate all');
    else await run(other, change);
    await add(8);
    await add(9);
    expect(begun).toBe(4); // the second was begun again
    expect(await other.read.select().from(slots)).toHaveLength(3);
  });
});
