/** Chance that can be had again: the same seed throws the same dice. */
export interface Chance {
  /** From 0 up to, but without, 1. */
  next(): number;
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number;
  pick<T>(from: readonly T[]): T | undefined;
}

/** A linear congruential generator, with the constants of "Numerical Recipes". */
export function openChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    next,
    between: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick: (from) => from[Math.floor(next() * from.length)],
  };
}
