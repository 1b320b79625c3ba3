import { expect, it } from 'vitest';
import { costWords, shareWords, timeWords } from './figure-words.ts';

it.each([
  [shareWords(0.6667), '67 %'],
  [shareWords(null), '–'],
  [timeWords(5_400), '1 h 30 min'],
  [timeWords(null), '–'],
  [costWords(1.714), '$1.71'],
  [costWords(null), '–'],
])('reads %s', (words, expected) => {
  expect(words).toBe(expected);
});
