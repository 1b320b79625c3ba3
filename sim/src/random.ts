/** A source of chance that gives the same sequence for the same seed. */
export interface Random {
  /** A number from 0 up to, but not including, 1. */
  next(): number;
  /** An integer from 0 up to, but not including, `limit`. */
  below(limit: number): number;
  /** An integer between the two, both included. */
  between(least: number, most: number): number;
  chance(probability: number): boolean;
  /** @throws RangeError for an empty list */
  pick<T>(from: readonly T[]): T;
}

/** Creates a sequence of pseudo-random numbers. @param seed an integer; neighbouring seeds give unrelated sequences */
export function createRandom(seed: number): Random {
  let state = mixed(seed);
  // mulberry32: 32 bits of state, one multiplication chain a number.
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    between: (least, most) => least + below(most - least + 1),
    chance: (probability) => next() < probability,
    pick(from) {
      if (from.length === 0) throw new RangeError('There is nothing to pick from.');
      return from[below(from.length)] as (typeof from)[number];
    },
  };
}

function mixed(seed: number): number {
  let bits = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
