import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asking, askMany } from '../../fuzz/ask-many.ts';
import { fuzzAmount, MAX_REFUSED_SHARE } from '../../fuzz/fuzz-amount.ts';
import { type FuzzWorld, startFuzzWorld } from '../../fuzz/fuzz-world.ts';
import { trpcJudge } from '../../fuzz/trpc-judge.ts';
import { fuzzProcedures } from '../../fuzz/trpc-procedures.ts';
import { callsOnTheWire, type FuzzCalls, trpcRequests, validTrpcRequests } from '../../fuzz/trpc-requests.ts';

// Usual way: packages/api/test/hostile.test.ts

/** Fewer than over REST, which calls the same procedures. */
const amount = fuzzAmount({ test: 600, soak: 2_000 });

const asking: Asking<FuzzCalls> = {
  requests: trpcRequests(),
  validRequests: validTrpcRequests(),
  onTheWire: callsOnTheWire,
  fault: trpcJudge(),
  notes: ({ calls }, { status, text }) =>
    status === 200 && !text.includes('"httpStatus":') ? calls.map(({ name }) => name) : [],
};

let world: FuzzWorld;
beforeAll(async () => {
  world = await startFuzzWorld();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

describe('whatever is called by whatever name over tRPC', () => {
  it('the answer has the shape of its results or its errors, nothing fails and nothing is kept', async () => {
    const seen = await askMany(world, asking, amount);
    const names = fuzzProcedures().map(({ name }) => name);
    const refused = names.filter((name) => !seen.has(name));
    // Requests that are all refused would test little: most procedures must have run at least once.
    expect(refused.length, refused.join('\n')).toBeLessThan(names.length * MAX_REFUSED_SHARE);
  });
});
