import fc from 'fast-check';

/*
 * A build that fails must be one that can be repeated, so properties are tried with the same values in every run.
 * `FAST_CHECK_SEED=random` tries others, and says which when one fails; `FAST_CHECK_SEED=-1899243811` tries those again.
 */

const USUAL_SEED = 20_261_121;

const asked = process.env.FAST_CHECK_SEED ?? String(USUAL_SEED);
if (asked !== 'random') {
  const seed = Number(asked);
  if (!Number.isInteger(seed)) throw new Error(`FAST_CHECK_SEED is "random" or a whole number, not "${asked}".`);
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
}
