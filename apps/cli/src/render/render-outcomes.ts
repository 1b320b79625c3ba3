import type { OutcomeFigures, OutcomesWire } from '@sluice/core/outcome';
import { plainLine } from '../terminal/plain-text.ts';
import { type Column, renderColumns, type Sheet } from './render-columns.ts';
import { renderElapsed, renderInstant } from './render-time.ts';
import { renderUsd } from './render-usage.ts';

type Row = OutcomeFigures & { readonly name: string };

const titles = { repo: 'REPOSITORY', model: 'MODEL', prompt_revision: 'PROMPTS' } as const;

/**
 * Renders a line for each group and one for all, for a person under the period that was counted. For a program shares are
 * numbers, and times are seconds.
 */
export function renderOutcomes({ group_by, period, total, groups }: OutcomesWire, sheet: Sheet): string {
  const title = group_by === null ? '' : titles[group_by];
  const rows: Row[] = [
    ...groups.map(({ group, ...figures }) => ({
      ...figures,
      name: group === null ? 'not recorded' : plainLine(group),
    })),
    { ...total, name: 'all' },
  ];
  const table = renderColumns(rows, [{ title, cell: ({ name }) => name, narrow: 'shorten' }, ...columns], sheet);
  if (!sheet.page.isTerminal) return table;
  const words = periodWords(period);
  return total.opened === 0 ? `No pull requests were opened ${words}.` : `Pull requests opened ${words}:\n${table}`;
}

function periodWords({ from, to }: OutcomesWire['period']): string {
  const since = from === null || Date.parse(from) === 0 ? 'at any time' : `since ${renderInstant(from)}`;
  return to === null ? since : `${since}, before ${renderInstant(to)}`;
}

const columns: readonly Column<Row>[] = [
  { title: 'OPENED', cell: ({ opened }) => String(opened) },
  { title: 'MERGED', cell: ({ merged }) => String(merged) },
  { title: 'CLOSED', cell: ({ closed }) => String(closed) },
  { title: 'OPEN', cell: ({ still_open }) => String(still_open) },
  { title: 'REVERTED', cell: ({ reverted }) => String(reverted), narrow: 'omit' },
  time('MEDIAN', ({ time_to_merge_median }) => time_to_merge_median),
  time('P90', ({ time_to_merge_p90 }) => time_to_merge_p90),
  share('UNTOUCHED', ({ merged_untouched }) => merged_untouched),
  { title: 'REVIEWS', cell: ({ review_rounds }) => review_rounds?.toFixed(1) ?? '-', narrow: 'omit' },
  share('GREEN', ({ first_build_green }) => first_build_green),
  share('AT ONCE', ({ approved_at_first_sight }) => approved_at_first_sight),
  {
    title: 'PER MERGE',
    cell: ({ cost_per_merged_usd: cost }) => (cost === null ? '-' : renderUsd(cost)),
    plain: ({ cost_per_merged_usd: cost }) => String(cost ?? ''),
    narrow: 'omit',
  },
];

function share(title: string, of: (row: Row) => number | null): Column<Row> {
  return {
    title,
    cell: (row) => (of(row) === null ? '-' : `${Math.round((of(row) ?? 0) * 100)} %`),
    plain: (row) => String(of(row) ?? ''),
    narrow: 'omit',
  };
}

function time(title: string, of: (row: Row) => number | null): Column<Row> {
  return {
    title,
    cell: (row) => (of(row) === null ? '-' : renderElapsed((of(row) ?? 0) * 1_000)),
    plain: (row) => String(of(row) ?? ''),
    narrow: 'omit',
  };
}
