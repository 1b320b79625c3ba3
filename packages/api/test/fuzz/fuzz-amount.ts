import { randomInt } from 'node:crypto';
import fc from 'fast-check';

/** Any: a build that has failed must fail again. */
const USUAL_SEED = 20_261_121;

/**
 * How much is asked: `usual`, or as many as `HOSTILE_REQUESTS` says, by the seed `HOSTILE_SEED`, which may be `random`:
 * `HOSTILE_REQUESTS=100000 HOSTILE_SEED=random npm test -- packages/api/test/fuzz`. What fails says its seed.
 */
export function fuzzAmount(usual: number): { readonly requests: number; readonly seed: number } {
  const { HOSTILE_REQUESTS: requests, HOSTILE_SEED: given } = process.env;
  const usualSeed = fc.readConfigureGlobal().seed ?? USUAL_SEED;
  const seed = given === undefined ? usualSeed : given === 'random' ? randomInt(2 ** 31) : Number(given);
  return { requests: requests === undefined ? usual : Number(requests), seed };
}
