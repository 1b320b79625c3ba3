import { expect, it } from 'vitest';
import { cutText } from './cut-text.ts';

const limits = { characters: 20, lines: 3 };

it('leaves a short text as it is', () => {
  expect(cutText('one\ntwo', limits)).toBe('one\ntwo');
});

it('cuts a long text at a word', () => {
  expect(cutText('one two three four five six', limits)).toBe('one two three four');
});

it('cuts a text of many lines at a line', () => {
  expect(cutText('1\n2\n3\n4\n5', limits)).toBe('1\n2\n3');
});

it('cuts a word that is longer than the limit', () => {
  expect(cutText('x'.repeat(30), limits)).toBe('x'.repeat(20));
});
