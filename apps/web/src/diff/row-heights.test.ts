import { expect, it } from 'vitest';
import type { DiffRow } from './diff-rows.ts';
import { estimateRow } from './row-heights.ts';

const space = { rem: 16, width: 1_000 };
const row = (length: number): DiffRow => ({
  kind: 'line',
  file: 0,
  line: { kind: 'added', text: 'x'.repeat(length), oldLine: null, newLine: 1, isUnended: false },
  other: null,
  isFirstOfChange: false,
});

it('takes a line that fits as one row, and a longer one as many as it is wrapped into', () => {
  expect(estimateRow(row(80), 'unified', space)).toBe(20);
  expect(estimateRow(row(200), 'unified', space)).toBe(40);
  expect(estimateRow(row(80), 'split', space)).toBe(40);
});

it('takes a very long line as what is drawn of it at first', () => {
  expect(estimateRow(row(1_000_000), 'unified', space)).toBe(estimateRow(row(2_000), 'unified', space));
});

it('gives a height also before the width of the table is known', () => {
  expect(estimateRow(row(0), 'split', { rem: 16, width: 0 })).toBe(20);
});
