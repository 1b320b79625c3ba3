import { type PostgresServer, startPostgres } from '@sluice/testing';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { openStoresAt } from '../open-stores-at.ts';
import { askingMs, askMany } from './ask-many.ts';
import { fuzzAmount } from './fuzz-amount.ts';
import { type FuzzWorld, startFuzzWorld } from './fuzz-world.ts';
import { expectCarriedOut, restAsking } from './rest-asking.ts';

/** A part of what SQLite gets: the two engines differ in what they take of texts and numbers, and in little else. */
const amount = fuzzAmount(1_500);

let server: PostgresServer;
let world: FuzzWorld;
beforeAll(async () => {
  server = await startPostgres();
  const url = await server.createDatabase();
  world = await startFuzzWorld({
    openStores: (options) => openStoresAt(url, options),
  });
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

describe('whatever is asked of whatever operation, over Postgres', () => {
  it(
    'the answer is what the document says, nothing fails and nothing is kept',
    async () => {
      expectCarriedOut(await askMany(world, restAsking, amount));
    },
    askingMs(amount.requests),
  );
});
