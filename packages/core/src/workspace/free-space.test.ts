import { expect, test } from 'vitest';
import { type FreeSpace, isBelowReserve, renderFreeSpace, reserveOf } from './free-space.ts';

const GIB = 1024 ** 3;
const space = (changes: Partial<FreeSpace>): FreeSpace => ({
  free: 50 * GIB,
  total: 100 * GIB,
  freeEntries: 500_000,
  totalEntries: 1_000_000,
  ...changes,
});

test('keeps a fixed reserve on a large file system and a share of a small one', () => {
  expect(reserveOf(space({}))).toEqual({ bytes: 512 * 1024 ** 2, entries: 25_000 });
  expect(reserveOf(space({ total: GIB, totalEntries: 1_000 }))).toEqual({ bytes: GIB * 0.05, entries: 50 });
});

test('is low when either bytes or entries fall below the reserve', () => {
  expect(isBelowReserve(space({}))).toBe(false);
  expect(isBelowReserve(space({ free: GIB / 4 }))).toBe(true);
  expect(isBelowReserve(space({ freeEntries: 10_000 }))).toBe(true);
});

test('does not count entries where the file system creates them on demand', () => {
  expect(isBelowReserve(space({ freeEntries: 0, totalEntries: 0 }))).toBe(false);
});

test('renders what is left, in entries where those are short', () => {
  expect(renderFreeSpace(space({ free: GIB / 4 }))).toBe('256 MiB of 102400 MiB are left, and the reserve is 512 MiB');
  expect(renderFreeSpace(space({ freeEntries: 7 }))).toBe(
    '7 of 1000000 entries (inodes) are left, and the reserve is 25000',
  );
});
