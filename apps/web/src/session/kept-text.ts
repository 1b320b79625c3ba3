/**
 * Keeps a text in this browser or this tab; an empty one is removed. A browser that has no room left, or keeps nothing for
 * pages, is no fault of the page: it goes on without.
 */
export function keepText(storage: Pick<Storage, 'setItem' | 'removeItem'>, key: string, text: string): void {
  try {
    if (text === '') storage.removeItem(key);
    else storage.setItem(key, text);
  } catch {
    // What was typed is still in the page; only a reload loses it.
  }
}

/** What was kept as JSON; null where there is nothing, or something else than JSON. */
export function keptJson(storage: Pick<Storage, 'getItem'>, key: string): unknown {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}
