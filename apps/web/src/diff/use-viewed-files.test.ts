import { expect, it } from 'vitest';
import { changedFiles } from './changed-files.ts';
import { readViewed, writeViewed } from './use-viewed-files.ts';

function memory(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

const at = (blob: string) =>
  changedFiles({
    files: ['a', 'b'].map((path) => ({ path, additions: 1, deletions: 0, in_plan: true, reason: null, guarded: null })),
    diff: ['a', 'b'].map((path) => `diff --git a/${path} b/${path}\nindex 0000000..${path}${blob} 100644\n`).join(''),
  });

it('keeps which files were read, per issue', () => {
  const store = memory();
  writeViewed(store, 'one', at('1').slice(0, 1));
  expect([...readViewed(store, 'one', at('1'))]).toEqual(['a']);
  expect(readViewed(store, 'two', at('1')).size).toBe(0);
});

it('takes a file that changed since as not read', () => {
  const store = memory();
  writeViewed(store, 'one', at('1'));
  const [first, second] = [at('1'), at('2')];
  expect([
    ...readViewed(
      store,
      'one',
      [first[0], second[1]].filter((file) => file !== undefined),
    ),
  ]).toEqual(['a']);
});

it('forgets the issues that were read longest ago, and survives what it cannot read', () => {
  const store = memory();
  for (let i = 0; i < 60; i += 1) writeViewed(store, `issue ${i}`, at('1'));
  expect(readViewed(store, 'issue 0', at('1')).size).toBe(0);
  expect(readViewed(store, 'issue 59', at('1')).size).toBe(2);
  store.setItem('sluice.viewed', '{"no": "list"');
  expect(readViewed(store, 'issue 59', at('1')).size).toBe(0);
});
