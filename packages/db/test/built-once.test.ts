import { type PostgresServer, settableClock, startPostgres } from '@sluice/testing';
import { SQL } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openPostgres, openSqlite } from '../src/index.ts';
import { callsOf } from './every-method/calls.ts';
import { createWorld } from './every-method/world.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());
afterEach(() => vi.restoreAllMocks());

/** Those that still build SQL at each call, with the number of their statements: only ever fewer. */
const notYet: Readonly<Record<string, number>> = {};

const clock = settableClock();
const options = { clock, gateKeepsSlot: false, maxActivePipelinesPerUser: 3 };

describe.each([
  ['SQLite', () => openSqlite({ ...options, dataDir: null })],
  [
    'Postgres',
    async () => openPostgres({ ...options, url: await server.createDatabase(), applicationName: 'built-once' }),
  ],
])('the stores on %s', (_engine, open) => {
  it('build the SQL of a call once', async () => {
    await using stores = await open();
    const world = await createWorld({ stores, clock });
    const toQuery = vi.spyOn(SQL.prototype, 'toQuery');
    const again: Record<string, number> = {};
    for (const { name, arrange } of callsOf(stores)) {
      const first = await arrange(world);
      await first();
      await world.endAll();
      const second = await arrange(world);
      toQuery.mockClear();
      await second();
      if (toQuery.mock.calls.length > 0) again[name] = toQuery.mock.calls.length;
      await world.endAll();
    }
    expect(again).toEqual(notYet);
  });
});
