import { expect, it } from 'vitest';
import { lastAtMost } from './last-at-most.ts';

const numbers = [0, 3, 3, 8];
const place = (limit: number, of = numbers) => lastAtMost(limit, { count: of.length, at: (index) => of[index] ?? 0 });

it.each([
  [0, 0],
  [2, 0],
  [3, 2],
  [7, 2],
  [8, 3],
  [99, 3],
])('finds the last number that is at most %i', (limit, index) => {
  expect(place(limit)).toBe(index);
});

it('answers with the first place where there is none', () => {
  expect(place(-1)).toBe(0);
  expect(place(5, [])).toBe(0);
});
