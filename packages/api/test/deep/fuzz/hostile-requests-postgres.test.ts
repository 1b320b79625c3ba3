import { migratedDatabase } from '@sluice/db/scratch';
import { type PostgresDatabases, sharedPostgres } from '@sluice/testing';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { askMany } from '../../fuzz/ask-many.ts';
import { fuzzAmount } from '../../fuzz/fuzz-amount.ts';
import { type FuzzWorld, startFuzzWorld } from '../../fuzz/fuzz-world.ts';
import { expectCarriedOut, restAsking } from '../../fuzz/rest-asking.ts';
import { openStoresAt } from '../../open-stores-at.ts';

// Usual way: packages/api/test/hostile.test.ts

/** Fewer than on SQLite: the engines differ in the texts and numbers that they accept, and in little else. */
const amount = fuzzAmount({ test: 900, soak: 2_000 });

let server: PostgresDatabases;
let world: FuzzWorld;
beforeAll(async () => {
  server = await sharedPostgres();
  const url = await migratedDatabase(server);
  world = await startFuzzWorld({
    openStores: (options) => openStoresAt(url, options),
  });
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

describe('whatever is asked of whatever operation, over Postgres', () => {
  it('the answer conforms to the document, nothing fails and nothing is stored', async () => {
    expectCarriedOut(await askMany(world, restAsking, amount));
  });
});
