import { expect, it } from 'vitest';
import { compareWords } from './compare-words.ts';

const shown = (before: string, after: string) =>
  compareWords(before, after)
    .map(({ kind, text }) => ({ same: text, added: `{+${text}+}`, removed: `[-${text}-]` })[kind])
    .join('');

it('marks the words that were added and removed', () => {
  expect(shown('Round the total once', 'Round the discount once')).toBe('Round the[- total-]{+ discount+} once');
});

it('leaves equal texts, and empty ones, unmarked', () => {
  expect(compareWords('as it was', 'as it was')).toEqual([{ kind: 'same', text: 'as it was' }]);
  expect(compareWords('', '')).toEqual([]);
});

it.each([
  ['', 'all new'],
  ['all gone', ''],
  ['a  b\n\n c', 'a b\nc d '],
  ['one two three', 'three two one'],
])('keeps both texts whole: %j and %j', (before, after) => {
  const pieces = compareWords(before, after);
  const without = (kind: string) =>
    pieces
      .filter((one) => one.kind !== kind)
      .map(({ text }) => text)
      .join('');
  expect(without('added')).toBe(before);
  expect(without('removed')).toBe(after);
});

it('shows very long texts as replaced', () => {
  const words = (word: string) => Array(2_000).fill(word).join(' ');
  expect(compareWords(words('a'), words('b')).map(({ kind }) => kind)).toEqual(['removed', 'added']);
});
