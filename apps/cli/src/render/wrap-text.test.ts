import { expect, it } from 'vitest';
import { wrapText } from './wrap-text.ts';

it.each([
  ['one two three', 7, 'one two\nthree'],
  ['one two three', 13, 'one two three'],
  ['a/very/long/path is kept', 8, 'a/very/long/path\nis kept'],
  ['its own\nlines stay', 20, 'its own\nlines stay'],
  ['  indented', 20, '  indented'],
  ['  so is the rest', 10, '  so is\n  the rest'],
  ['価格 を 直す', 7, '価格 を\n直す'],
  ['', 5, ''],
  ['endless width', Number.POSITIVE_INFINITY, 'endless width'],
])('wraps %j at spaces to a width of %d', (text, width, wrapped) => {
  expect(wrapText(text, width)).toBe(wrapped);
});
