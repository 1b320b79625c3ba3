import fc from 'fast-check';

/*
 * A failed build must be repeatable, so property tests use the same values in every run. `FAST_CHECK_SEED=random` uses
 * others, and a failure prints its seed; `FAST_CHECK_SEED=-1899243811` repeats it.
 */

const USUAL_SEED = 20_261_121;

const asked = process.env.FAST_CHECK_SEED ?? String(USUAL_SEED);
if (asked !== 'random') {
  const seed = Number(asked);
  if (!Number.isInteger(seed)) throw new Error(`FAST_CHECK_SEED is "random" or a whole number, not "${asked}".`);
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
}
