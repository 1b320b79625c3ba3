import { WORKER_GONE_MS } from '@sluice/core/operation';
import { type PostgresDatabases, settableClock, sharedPostgres } from '@sluice/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgres, type Stores } from '../src/index.ts';
import { nameOf } from './pg-schema.ts';
import { migratedDatabase, openScratch } from './scratch.ts';

const worker = { id: 'w', hostName: 'h', pid: 1, role: 'all', version: '1', concurrency: 1, sandbox: null } as const;

let server: PostgresDatabases;
beforeAll(async () => {
  server = await sharedPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

/** Stores, and what lets that much time pass in their database. */
type Opened = readonly [stores: Stores, pass: (ms: number) => Promise<void>];

async function onSqlite(): Promise<Opened> {
  const clock = settableClock();
  const databaseNow = () => clock.now().getTime();
  return [await openScratch({ clock, databaseNow }), async (ms) => clock.advance(ms)];
}

async function onPostgres(): Promise<Opened> {
  const url = await migratedDatabase(server);
  const stores = await openPostgres({ url, applicationName: 'sluice-test', clock: settableClock() });
  const pass = async (ms: number) => {
    await server.query(`update workers set seen_at = seen_at - ${ms} * interval '1 millisecond'`, nameOf(url));
  };
  return [stores, pass];
}

it.each([
  ['SQLite', onSqlite],
  ['Postgres', onPostgres],
])('shows a worker as gone once it has been silent for too long, until it is seen again: %s', async (_, open) => {
  const [stores, pass] = await open();
  await using _closed = stores;
  const isGone = async () => (await stores.workers.list()).map((one) => one.isGone);
  await stores.workers.put(worker);
  await pass(WORKER_GONE_MS / 2);
  expect(await isGone()).toEqual([false]);
  await pass(WORKER_GONE_MS / 2 + 1);
  expect(await isGone()).toEqual([true]);
  await stores.workers.put(worker);
  expect(await isGone()).toEqual([false]);
});
