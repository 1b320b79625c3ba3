import type { HostedPage } from '@sluice/core';

export const PER_PAGE = 100; // the most that the host gives
const PAGES = 20; // two thousand entries: further down nobody looks for anything by turning pages

/** What is wanted of one of the host's own pages, and whether there is a further one. */
export interface RawPage<T> {
  readonly items: readonly T[];
  readonly more: boolean;
}

/**
 * A page of a list of which only some entries are wanted, and which the host cannot choose from: its pages are read from
 * the first one on until ours is full and it is known whether another follows. So pages are full and `nextPage` is true.
 * What was read before is confirmed by ETag, which costs no quota. The list ends after two thousand entries of the host.
 */
export async function filledPage<T>(
  wanted: { readonly page: number; readonly perPage: number },
  idOf: (item: T) => string | number,
  read: (page: number) => Promise<RawPage<T>>,
): Promise<HostedPage<T>> {
  const { page, perPage } = wanted;
  // By id: an entry that is new at the host pushes another onto the next page while we read.
  const kept = new Map<string | number, T>();
  for (let raw = 1; raw <= PAGES && kept.size <= page * perPage; raw += 1) {
    const { items, more } = await read(raw);
    for (const item of items) kept.set(idOf(item), item);
    if (!more) break;
  }
  return {
    items: [...kept.values()].slice((page - 1) * perPage, page * perPage),
    nextPage: kept.size > page * perPage ? page + 1 : null,
  };
}
