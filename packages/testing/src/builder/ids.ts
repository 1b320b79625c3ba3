import { randomUUID } from 'node:crypto';
import type { Ids } from '@sluice/core';

/** A unique identifier: a UUIDv7 of this moment. */
export function newId<Id extends string = string>(): Id {
  return asUuid7(Date.now(), randomUUID().replaceAll('-', '').slice(-18)) as Id;
}

/** Identifiers that are the same in every run: the first one ends in 1, the next one in 2, and they sort in that order. */
export function countingIds(): Ids {
  let count = 0;
  return {
    next: () => {
      count += 1;
      return asUuid7(count, count.toString(16).padStart(18, '0'));
    },
  };
}

/** `tail` is 18 hex digits: three behind the version, three behind the variant, twelve at the end. */
function asUuid7(ms: number, tail: string): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${tail.slice(0, 3)}-8${tail.slice(3, 6)}-${tail.slice(6)}`;
}
