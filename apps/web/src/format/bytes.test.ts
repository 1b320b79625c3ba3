import { expect, it } from 'vitest';
import { byteLength, formatBytes } from './bytes.ts';

it('counts a text in UTF-8', () => {
  expect(byteLength('a€😀')).toBe(8);
});

it.each([
  [0, '0 B'],
  [1_023, '1023 B'],
  [1_240, '1.2 KiB'],
  [65_536, '64 KiB'],
  [3_670_016, '3.5 MiB'],
])('says %i bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
