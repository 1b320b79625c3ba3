import { expect, it } from 'vitest';
import { createLineGaps, type LineGaps } from './line-gaps.ts';

function gapsOf(...gaps: Parameters<LineGaps['add']>[0][]) {
  const all = createLineGaps();
  for (const gap of gaps) all.add(gap);
  return all;
}

it('numbers the rows in turn where nothing was left out', () => {
  const gaps = gapsOf();
  expect([gaps.number(0), gaps.number(7), gaps.row(1), gaps.row(8), gaps.at(0)]).toEqual([1, 8, 0, 7, null]);
});

it('goes on behind a gap with the true number', () => {
  const gaps = gapsOf({ row: 2, characters: 400, lines: 100, isMidLine: false });
  expect([1, 3, 4].map(gaps.number)).toEqual([2, 103, 104]);
  expect([2, 3, 102, 103, 104].map(gaps.row)).toEqual([1, 2, 2, 3, 4]);
  expect(gaps.at(2)).toEqual({ characters: 400, lines: 100 });
  expect(gaps.at(3)).toBeNull();
});

it('gives both parts of a line that a gap divides its number', () => {
  const gaps = gapsOf({ row: 1, characters: 400, lines: 0, isMidLine: true });
  expect([0, 2, 3].map(gaps.number)).toEqual([1, 1, 2]);
  expect([1, 2].map(gaps.row)).toEqual([0, 3]);
});

it('counts the end of the line that a gap begins in', () => {
  const gaps = gapsOf({ row: 1, characters: 400, lines: 1, isMidLine: true });
  expect([0, 2, 3].map(gaps.number)).toEqual([1, 2, 3]);
  expect([1, 2, 3].map(gaps.row)).toEqual([0, 2, 3]);
});

it('adds up what several gaps left out', () => {
  const gaps = gapsOf(
    { row: 1, characters: 9, lines: 10, isMidLine: false },
    { row: 3, characters: 9, lines: 5, isMidLine: false },
  );
  expect([0, 2, 4, 5].map(gaps.number)).toEqual([1, 12, 18, 19]);
  expect([1, 5, 12, 15, 18, 19].map(gaps.row)).toEqual([0, 1, 2, 3, 4, 5]);
});
