import { expect, it } from 'vitest';
import { withoutColour } from '../terminal/style.ts';
import { type Column, renderColumns } from './render-columns.ts';

interface Row {
  readonly id: string;
  readonly title: string;
  readonly repo: string;
  readonly at: string;
}

const columns: readonly Column<Row>[] = [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'TITLE', cell: ({ title }) => title, narrow: 'shorten' },
  { title: 'REPOSITORY', cell: ({ repo }) => repo, narrow: 'shorten' },
  { title: 'AGE', cell: () => '3 h ago', plain: ({ at }) => at, narrow: 'omit' },
];
const rows: readonly Row[] = [
  { id: '0c2d3e4f', title: 'A 10 % discount takes off ten cents', repo: 'shop', at: '2026-11-23T09:00:00Z' },
  { id: '1b7a9c55', title: '価格を直す', repo: 'a-repository-with-a-long-name', at: '2026-11-23T08:00:00Z' },
];

const atWidth = (width: number) =>
  renderColumns(rows, columns, { style: withoutColour, page: { width, isTerminal: true } });

it('has headings and aligned columns, by the width of wide characters', () => {
  expect(atWidth(120)).toBe(
    [
      'ID        TITLE                                REPOSITORY                     AGE',
      '0c2d3e4f  A 10 % discount takes off ten cents  shop                           3 h ago',
      '1b7a9c55  価格を直す                           a-repository-with-a-long-name  3 h ago',
    ].join('\n'),
  );
});

it('shortens the longest texts to fit the width, and never the id', () => {
  expect(atWidth(60)).toBe(
    [
      'ID        TITLE                REPOSITORY            AGE',
      '0c2d3e4f  A 10 % discount ta…  shop                  3 h ago',
      '1b7a9c55  価格を直す           a-repository-with-a…  3 h ago',
    ].join('\n'),
  );
});

it('leaves out columns where shortening is not enough', () => {
  expect(atWidth(40).split('\n')[1]).toBe('0c2d3e4f  A 10 % discou…  shop');
  expect(atWidth(10).split('\n')[1]).toBe('0c2d3e4f  A 10 % disc…  shop');
});

it('gives a program tabs, instants and whole texts, without headings', () => {
  const page = { width: Number.POSITIVE_INFINITY, isTerminal: false };
  expect(renderColumns(rows, columns, { style: withoutColour, page })).toBe(
    [
      '0c2d3e4f\tA 10 % discount takes off ten cents\tshop\t2026-11-23T09:00:00Z',
      '1b7a9c55\t価格を直す\ta-repository-with-a-long-name\t2026-11-23T08:00:00Z',
    ].join('\n'),
  );
});
