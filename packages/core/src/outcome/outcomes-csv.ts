import { closeReasons } from '../code-host/close-reason.ts';
import { outcomeFiguresSchema } from './outcome-figures.ts';
import type { OutcomesWire } from './outcomes-wire.ts';

const figures = Object.keys(outcomeFiguresSchema.omit({ close_reasons: true }).shape) as (keyof Omit<
  OutcomesWire['total'],
  'close_reasons'
>)[];

const COLUMNS = [
  'group',
  ...figures,
  ...closeReasons.map((reason) => `closed_${reason}`),
  ...['period_from', 'period_to'],
];

/** One row for each group, or one for all where nothing is grouped; as RFC 4180 says, with the names of the JSON. */
export function outcomesCsv({ total, groups, group_by, period }: OutcomesWire): string {
  const rows = group_by === null ? [{ ...total, group: null }] : groups;
  const lines = rows.map((row) => [
    row.group,
    ...figures.map((name) => row[name]),
    ...closeReasons.map((reason) => row.close_reasons[reason]),
    period.from,
    period.to,
  ]);
  return [COLUMNS, ...lines].map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('');
}

/**
 * A name that a spreadsheet would take for a formula gets an apostrophe before it. Quoted also for the separators of other
 * languages: in them what follows a `;` would begin a cell.
 */
function toCell(value: string | number | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const safe = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
