import { expect, it } from 'vitest';
import { fuseRanks } from './search-both.ts';

it('puts what both lists hold before what only one holds, and keeps what one alone has found', () => {
  const fused = fuseRanks([
    ['words', 'both', 'last'],
    ['meaning', 'far', 'both'],
  ]);
  expect([...fused.keys()]).toEqual(['both', 'words', 'meaning', 'far', 'last']);
  expect(fused.get('both')).toBeCloseTo(1 / 62 + 1 / 63, 10);
  expect(fused.get('words')).toBeCloseTo(1 / 61, 10);
});

it('leaves a single list in its order, and makes nothing of nothing', () => {
  expect([...fuseRanks([['a', 'b', 'c'], []]).keys()]).toEqual(['a', 'b', 'c']);
  expect(fuseRanks([]).size).toBe(0);
});
