import { stripVTControlCharacters } from 'node:util';

/** Rows in columns, two blanks apart; the last column is as wide as it is. */
export function renderTable(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) => Math.max(...rows.map((row) => shownLength(row[at] ?? ''))));
  return rows
    .map((row) =>
      row
        .map((cell, at) => (at === row.length - 1 ? cell : cell + ' '.repeat((widths[at] ?? 0) - shownLength(cell))))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function shownLength(cell: string): number {
  return [...stripVTControlCharacters(cell)].length;
}
