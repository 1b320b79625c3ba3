import { expect, it } from 'vitest';
import { commonWords } from './common-words.ts';

it.each([
  {
    before: 'a b c',
    after: 'a x c',
    places: [
      [0, 2],
      [0, 2],
    ],
  },
  {
    before: 'a b',
    after: 'c a b',
    places: [
      [0, 1],
      [1, 2],
    ],
  },
  { before: 'a', after: 'b', places: [[], []] },
])('finds what $before and $after have in common', ({ before, after, places }) => {
  const common = commonWords(before.split(' '), after.split(' '));
  expect([[...common.before], [...common.after]]).toEqual(places);
});
