import { expect, it } from 'vitest';
import { createLineStore } from './line-store.ts';
import type { LogSection } from './log-book.ts';
import { layOutLog } from './log-rows.ts';

const section = (id: number, text: string): LogSection => {
  const lines = createLineStore();
  lines.append('stdout', text);
  return { id, command: 'a', at: '', run: null, lines };
};
const sections = [section(3, 'a\nb\n'), section(7, ''), section(9, 'c\nd\ne\n')];

it('shows a head for each section, and the lines of those that are open', () => {
  const rows = layOutLog(sections, ({ id }) => id !== 9);
  expect(rows.count).toBe(5);
  expect([0, 1, 2, 3, 4].map((at) => [rows.row(at).section.id, rows.row(at).line])).toEqual([
    [3, -1],
    [3, 0],
    [3, 1],
    [7, -1],
    [9, -1],
  ]);
});

it('finds a line and a head, unless they are not shown', () => {
  const rows = layOutLog(sections, ({ id }) => id !== 9);
  expect([
    rows.indexOf(3, 1),
    rows.indexOf(9, -1),
    rows.indexOf(9, 0),
    rows.indexOf(3, 2),
    rows.indexOf(4, -1),
  ]).toEqual([2, 4, -1, -1, -1]);
});

it('gives every row a key of its own, the same whatever is open', () => {
  const all = layOutLog(sections, () => true);
  const keys = Array.from({ length: all.count }, (_, at) => all.key(at));
  expect(new Set(keys).size).toBe(all.count);
  expect(layOutLog(sections, ({ id }) => id === 9).key(4)).toBe(all.key(6));
});
