import { afterAll, beforeAll, describe, it } from 'vitest';
import { askMany } from '../../fuzz/ask-many.ts';
import { fuzzAmount } from '../../fuzz/fuzz-amount.ts';
import { type FuzzWorld, startFuzzWorld } from '../../fuzz/fuzz-world.ts';
import { expectCarriedOut, restAsking } from '../../fuzz/rest-asking.ts';

// Usual way: packages/api/test/hostile.test.ts

const amount = fuzzAmount({ test: 1_000, soak: 10_000 });

let world: FuzzWorld;
beforeAll(async () => {
  world = await startFuzzWorld();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

describe('whatever is asked of whatever operation', () => {
  it('the answer conforms to the document, nothing fails and nothing is stored', async () => {
    expectCarriedOut(await askMany(world, restAsking, amount));
  });
});
