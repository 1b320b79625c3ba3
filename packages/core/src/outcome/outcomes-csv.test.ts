import { expect, it } from 'vitest';
import { figuresOf } from './outcome-figures.ts';
import { NO_OUTCOMES } from './outcome-tally.ts';
import { outcomesCsv } from './outcomes-csv.ts';

const period = { from: '2026-08-29T09:15:00.000Z', to: null };
const total = { ...figuresOf(NO_OUTCOMES, { median: null, p90: null }), opened: 3, merged_untouched: 0.5 };
const csv = (names: readonly (string | null)[]) =>
  outcomesCsv({
    group_by: 'repo',
    period,
    total,
    groups: names.map((group) => ({ ...total, group, repo_id: null })),
  });
const cellsOf = (text: string) => text.split('\r\n').map((line) => line.split(','));

it('has one row for all where nothing is grouped, under the names of the members', () => {
  const [names = [], values = [], end] = cellsOf(outcomesCsv({ group_by: null, period, total, groups: [] }));
  expect(names.slice(0, 3)).toEqual(['group', 'opened', 'merged']);
  expect(names).toContain('closed_too_large');
  expect(values).toHaveLength(names.length);
  expect([values[0], values[1], values[names.indexOf('merged_untouched')]]).toEqual(['', '3', '0.5']);
  expect(values[names.indexOf('time_to_merge_median')]).toBe('');
  expect(values.slice(-2)).toEqual([period.from, '']);
  expect(end).toEqual(['']);
});

it('has only its names where there is no group', () => {
  expect(cellsOf(csv([]))).toHaveLength(2);
});

it.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@sum', "'@sum"],
  ['\t=1', '"\'\t=1"'],
  ['acme/sum', 'acme/sum'],
])('lets no spreadsheet take a name for a formula: %s', (name, cell) => {
  expect(cellsOf(csv([name]))[1]?.[0]).toBe(cell);
});

it('quotes what has commas, quotes or ends of lines', () => {
  expect(csv(['a model, "b" model']).split('\r\n')[1]).toMatch(/^"a model, ""b"" model",3,/);
  expect(csv(['shop;=1+1'])).toContain('"shop;=1+1",3');
  expect(csv(['=a,b'])).toContain('"\'=a,b",3');
});
