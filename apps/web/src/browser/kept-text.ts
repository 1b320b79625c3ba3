/** Keeps a text in a storage that never throws, see `page-storage.ts`; an empty one is removed. */
export function keepText(storage: Pick<Storage, 'setItem' | 'removeItem'>, key: string, text: string): void {
  if (text === '') storage.removeItem(key);
  else storage.setItem(key, text);
}

/** The stored JSON value; null where there is nothing, or something else than JSON. */
export function keptJson(storage: Pick<Storage, 'getItem'>, key: string): unknown {
  try {
    return JSON.parse(storage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}
