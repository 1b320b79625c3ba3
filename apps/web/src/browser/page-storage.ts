/** What the console uses of a storage of the browser. */
export type PageStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/**
 * A storage that never throws. The browser may refuse its own, or have no space left: what it does not take is kept until the
 * page is left.
 */
export function createPageStorage(open: () => PageStorage): PageStorage {
  const untaken = new Map<string, string>();
  const attempt = <T>(use: (storage: PageStorage) => T, otherwise: T): T => {
    try {
      return use(open()); // opening it may be refused too
    } catch {
      return otherwise;
    }
  };
  const keys = () => {
    const taken = attempt(
      (storage) => Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? ''),
      [],
    );
    return [...new Set([...taken, ...untaken.keys()])];
  };
  return {
    get length() {
      return keys().length;
    },
    key: (index) => keys()[index] ?? null,
    getItem: (key) => untaken.get(key) ?? attempt((storage) => storage.getItem(key), null),
    setItem(key, value) {
      const isTaken = attempt((storage) => {
        storage.setItem(key, value);
        return true;
      }, false);
      if (isTaken) untaken.delete(key);
      else untaken.set(key, value);
    },
    removeItem(key) {
      untaken.delete(key);
      attempt((storage) => storage.removeItem(key), undefined);
    },
  };
}

/** Removes what the console has kept, except under the given keys. */
export function forgetKept(storage: PageStorage, except: readonly string[] = []): void {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  for (const key of keys) if (key.startsWith('sluice.') && !except.includes(key)) storage.removeItem(key);
}

/** Kept in this browser, for all tabs. */
export const browserStorage = createPageStorage(() => localStorage);

/** Kept in this tab, over reloads. */
export const tabStorage = createPageStorage(() => sessionStorage);
