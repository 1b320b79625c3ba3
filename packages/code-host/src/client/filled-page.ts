import type { HostedPage } from '@sluice/core/code-host';

export const PER_PAGE = 100; // the host's maximum
const PAGES = 20; // two thousand entries, further than users page

/** The matching entries of one page of the host, and whether there is another page. */
export interface RawPage<T> {
  readonly items: readonly T[];
  readonly more: boolean;
}

/**
 * Reads a page of a list that the host cannot filter: its pages are read from the first one until the filtered page is full
 * and it is known whether another follows. So pages are full, and `nextPage` is reliable. Pages that were read before are
 * revalidated by ETag, which costs no quota. The list ends after two thousand entries of the host.
 */
export async function filledPage<T>(
  request: { readonly page: number; readonly perPage: number },
  idOf: (item: T) => string | number,
  read: (page: number) => Promise<RawPage<T>>,
): Promise<HostedPage<T>> {
  const { page, perPage } = request;
  // By id, because a new entry at the host shifts another one to the next page during the read.
  const entries = new Map<string | number, T>();
  for (let raw = 1; raw <= PAGES && entries.size <= page * perPage; raw += 1) {
    const { items, more } = await read(raw);
    for (const item of items) entries.set(idOf(item), item);
    if (!more) break;
  }
  return {
    items: [...entries.values()].slice((page - 1) * perPage, page * perPage),
    nextPage: entries.size > page * perPage ? page + 1 : null,
  };
}
