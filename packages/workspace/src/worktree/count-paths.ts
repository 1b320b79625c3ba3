import { type CountedPaths, NO_PATHS } from '@sluice/core/workspace';
import { bytesOf } from './tree-place.ts';

const MAX_NAMED = 20; // a person reads no more of them one by one

/** Some paths (Latin-1) after those that were counted before. */
export function countPaths(entries: readonly { readonly path: string }[], { first, count } = NO_PATHS): CountedPaths {
  const more = entries.slice(0, MAX_NAMED - first.length).map(({ path }) => bytesOf(path).toString());
  return { first: [...first, ...more], count: count + entries.length };
}
