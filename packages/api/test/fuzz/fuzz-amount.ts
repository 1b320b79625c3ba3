import { randomInt } from 'node:crypto';
import { isSoakRun } from '@sluice/testing';
import fc from 'fast-check';

/** Any: a build that has failed must fail again. */
const USUAL_SEED = 20_261_121;

/** The part of the operations that need not have succeeded once: half of it needs a browser at another server, or a link in an e-mail. */
export const MAX_REFUSED_SHARE = 3 / 10;

/**
 * How many requests to send: so many in `npm test` and in `npm run soak`, or `HOSTILE_REQUESTS`. The seed is fixed, or
 * `HOSTILE_SEED`, which may be `random`; a failed test names its seed.
 */
export function fuzzAmount(usual: { test: number; soak: number }): {
  readonly requests: number;
  readonly seed: number;
} {
  const { HOSTILE_REQUESTS: requests, HOSTILE_SEED: given } = process.env;
  const usualSeed = fc.readConfigureGlobal().seed ?? USUAL_SEED;
  const seed = given === undefined ? usualSeed : given === 'random' ? randomInt(2 ** 31) : Number(given);
  return { requests: Number(requests ?? (isSoakRun ? usual.soak : usual.test)), seed };
}
