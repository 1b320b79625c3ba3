import { expect, it } from 'vitest';
import { createPageStorage, forgetKept, type PageStorage } from './page-storage.ts';

function browser(kept: Map<string, string>, most = Number.POSITIVE_INFINITY): PageStorage {
  return {
    get length() {
      return kept.size;
    },
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => {
      if (value.length > most) throw new DOMException('There is no space left.', 'QuotaExceededError');
      kept.set(key, value);
    },
    removeItem: (key) => void kept.delete(key),
  };
}

function keysOf(storage: PageStorage): (string | null)[] {
  return Array.from({ length: storage.length }, (_, index) => storage.key(index));
}

it('keeps texts in the storage of the browser', () => {
  const kept = new Map<string, string>();
  const storage = createPageStorage(() => browser(kept));
  storage.setItem('a', '1');
  expect(kept.get('a')).toBe('1');
  expect(storage.getItem('a')).toBe('1');
  storage.removeItem('a');
  expect(kept.size).toBe(0);
});

it('keeps what the browser has no space for as long as the page is open', () => {
  const kept = new Map([['a', '1']]);
  const storage = createPageStorage(() => browser(kept, 3));
  storage.setItem('a', 'longer');
  storage.setItem('b', 'longer too');
  expect(storage.getItem('a')).toBe('longer');
  expect(keysOf(storage)).toEqual(['a', 'b']);
  storage.setItem('a', '2');
  storage.removeItem('b');
  expect(storage.getItem('a')).toBe('2');
  expect(keysOf(storage)).toEqual(['a']);
});

it('keeps texts until the page is left where the browser lets pages keep nothing', () => {
  const storage = createPageStorage(() => {
    throw new DOMException('Access is denied for this document.', 'SecurityError');
  });
  storage.setItem('a', '1');
  expect(storage.getItem('a')).toBe('1');
  expect(keysOf(storage)).toEqual(['a']);
  storage.removeItem('a');
  expect(storage.getItem('a')).toBe(null);
});

it('forgets what the console has kept, but for what it is asked to leave, and nothing of other programs', () => {
  const names = ['sluice.draft.1', 'sluice.theme', 'another', 'sluice.remarks.2'];
  const kept = new Map(names.map((name) => [name, 'x']));
  forgetKept(
    createPageStorage(() => browser(kept)),
    ['sluice.theme'],
  );
  expect([...kept.keys()]).toEqual(['sluice.theme', 'another']);
});
