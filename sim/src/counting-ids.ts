import type { Ids } from '@sluice/core/id';

/** Identifiers that are the same in every run, and sort in the order of the calls. */
export function countingIds(): Ids {
  let count = 0;
  return {
    next() {
      count += 1;
      const hex = count.toString(16).padStart(12, '0');
      return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${hex}`;
    },
  };
}
