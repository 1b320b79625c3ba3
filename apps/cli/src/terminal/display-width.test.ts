import { expect, it } from 'vitest';
import { displayWidth, truncateText } from './display-width.ts';

it.each([
  ['plain', 5],
  ['価格を直す', 10],
  ['👩‍👩‍👧 ok', 5],
  ['e\u0301te', 3],
  ['\x1b[31mred\x1b[39m', 3],
])('counts the columns of %j as %d', (text, columns) => expect(displayWidth(text)).toBe(columns));

it.each([
  ['fits', 4, 'fits'],
  ['too long', 6, 'too l…'],
  ['価格を直す', 6, '価格…'],
  ['x👩‍👩‍👧👩‍👩‍👧', 4, 'x👩‍👩‍👧…'],
  ['none', 0, ''],
])('cuts %j to %d columns', (text, width, cut) => expect(truncateText(text, width)).toBe(cut));
