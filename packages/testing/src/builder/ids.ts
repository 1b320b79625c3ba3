import type { Ids } from '@sluice/core/id';
import { v7 as uuidv7 } from 'uuid';

/** A unique identifier from the generator of the server: those of one process sort in the order of the calls. */
export function newId<Id extends string = string>(): Id {
  return uuidv7() as Id;
}

/** Identifiers that are the same in every run: the first one ends in 1, the next one in 2, and they sort in that order. */
export function countingIds(): Ids {
  let count = 0;
  return {
    next: () => {
      count += 1;
      const hex = count.toString(16).padStart(12, '0');
      return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${hex}`; // the time first, as in every UUIDv7
    },
  };
}
