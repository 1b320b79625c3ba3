import { expect, test } from 'vitest';
import { inAnyOf } from './tree-traps.ts';

test('a path lies in a folder above it, and not in itself or in one whose name begins alike', () => {
  const isIn = inAnyOf(new Set(['a', 'b/c']));
  expect(['a/x', 'a/x/y', 'b/c/x'].map(isIn)).toEqual([true, true, true]);
  expect(['a', 'ab/x', 'b/x', 'b/c', 'x'].map(isIn)).toEqual([false, false, false, false, false]);
});

test('many paths are looked up in many folders in linear time', () => {
  const isIn = inAnyOf(new Set(Array.from({ length: 100_000 }, (_, at) => `modules/${at}`)));
  const deep = 'd/'.repeat(1_000);
  const began = process.cpuUsage();
  for (let at = 0; at < 100_000; at += 1) {
    if (isIn(`${deep}${at}/node_modules`) || isIn(`made/${at}/node_modules`))
      throw new Error(`${at} lies in no folder`);
  }
  expect(process.cpuUsage(began).user).toBeLessThan(5_000_000); // microseconds; minutes where each is compared with each
});
