import { type PostgresDatabases, sharedPostgres } from '@sluice/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSettledEvents } from './settled-events.ts';

let server: PostgresDatabases;
let url: string;
beforeAll(async () => {
  server = await sharedPostgres();
  url = await server.createDatabase();
});
afterAll(() => server[Symbol.asyncDispose]());

async function connect(): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

const add = async (client: Client): Promise<number> => {
  const { rows } = await client.query(`insert into events (text) values ('') returning ordinal`);
  return Number(rows[0].ordinal);
};

describe('what is settled of the events on Postgres', () => {
  it('stands still below a number that was drawn and is not committed, and goes on when it is decided', async () => {
    await using first = await connect();
    await using second = await connect();
    await using reader = await connect();
    await first.query('create table events (ordinal bigint primary key generated always as identity, text text)');
    const settled = createSettledEvents((text) => reader.query(text));
    expect(await settled()).toBe(0); // the first event of an installation is still to come
    const before = await add(first);
    expect(await settled()).toBe(before);

    await first.query('begin');
    const slow = await add(first);
    const quick = await add(second); // committed, and seen before the lower one
    expect(quick).toBeGreaterThan(slow);
    expect(await settled()).toBe(before);
    // One that begins later does not hold up what the earlier ones have to decide.
    await second.query('begin');
    const later = await add(second);
    expect(await settled()).toBe(before);
    await first.query('commit');
    expect(await settled()).toBeGreaterThanOrEqual(quick);
    expect(await settled()).toBeLessThan(later);
    await second.query('rollback');
    expect(await settled()).toBe(later); // undone is decided too
  });

  it('is not held up by a transaction that writes no events', async () => {
    await using writer = await connect();
    await using reader = await connect();
    await using other = await connect();
    await other.query('create table others (id int)');
    await other.query('begin');
    await other.query('insert into others values (1)');
    await other.query('select * from events');
    const last = await add(writer);
    expect(await createSettledEvents((text) => reader.query(text))()).toBe(last);
    await other.query('rollback');
  });
});
