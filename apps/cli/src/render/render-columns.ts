import { displayWidth, truncateText } from '../terminal/display-width.ts';
import type { Page } from '../terminal/output.ts';
import type { Style } from '../terminal/style.ts';

export interface Column<T> {
  /** The heading, in capitals. */
  readonly title: string;
  /** The text for a person, on one line and without colours. */
  readonly cell: (row: T) => string;
  /** The text for a program, where it is another one: an instant instead of an age. */
  readonly plain?: (row: T) => string;
  readonly colour?: (row: T) => Parameters<Style>[0] | null;
  /** Where the table is too wide: this column is shortened, or left out; others are kept as they are. */
  readonly narrow?: 'shorten' | 'omit';
}

/** How and for whom a table is rendered. */
export interface Sheet {
  readonly style: Style;
  readonly page: Page;
}

const GAP = 2;
const MIN_WIDTH = 12; // less of a title or a name says nothing

/**
 * Renders rows as a table. At a terminal it has headings and fits the width; for a program each row is a line of columns
 * that are separated by tabs, without headings, and nothing is shortened.
 */
export function renderColumns<T>(rows: readonly T[], columns: readonly Column<T>[], { style, page }: Sheet): string {
  const coloured = (column: Column<T>, row: T, text: string) => {
    const colour = column.colour?.(row) ?? null;
    return colour === null || text === '' ? text : style(colour, text);
  };
  if (!page.isTerminal) {
    return rows
      .map((row) => columns.map((column) => coloured(column, row, (column.plain ?? column.cell)(row))).join('\t'))
      .join('\n');
  }
  const fitting = fit(
    columns.map((column) => measured(column, rows)),
    page.width,
  );
  const line = (cells: readonly { text: string; shown: string; width: number }[]) =>
    cells
      .map(({ text, shown, width }) => shown + ' '.repeat(Math.max(0, width - displayWidth(text))))
      .join(' '.repeat(GAP))
      .trimEnd();
  const heading = line(
    fitting.map(({ column: { title }, width }) => ({ text: title, shown: style('dim', title), width })),
  );
  const lines = rows.map((row) =>
    line(
      fitting.map(({ column, width }) => {
        const text = truncateText(column.cell(row), width);
        return { text, shown: coloured(column, row, text), width };
      }),
    ),
  );
  return [heading, ...lines].join('\n');
}

interface Measured<T> {
  readonly column: Column<T>;
  readonly width: number;
}

function measured<T>(column: Column<T>, rows: readonly T[]): Measured<T> {
  return { column, width: Math.max(displayWidth(column.title), ...rows.map((row) => displayWidth(column.cell(row)))) };
}

/** Leaves out columns from the right until shortening is enough; then shortens the widest ones. */
function fit<T>(columns: readonly Measured<T>[], width: number): readonly Measured<T>[] {
  const canShorten = ({ column, width: own }: Measured<T>) => column.narrow === 'shorten' && own > MIN_WIDTH;
  const shortest = columns.map((one) => (canShorten(one) ? { ...one, width: MIN_WIDTH } : one));
  const omitted = columns.findLastIndex(({ column }) => column.narrow === 'omit');
  if (totalWidth(shortest) > width && omitted !== -1) return fit(columns.toSpliced(omitted, 1), width);
  let fitting = columns;
  while (totalWidth(fitting) > width) {
    const widest = Math.max(...fitting.filter(canShorten).map((one) => one.width));
    const index = fitting.findIndex((one) => canShorten(one) && one.width === widest);
    if (index === -1) break;
    fitting = fitting.map((one, at) => (at === index ? { ...one, width: one.width - 1 } : one));
  }
  return fitting;
}

function totalWidth(columns: readonly { readonly width: number }[]): number {
  return columns.reduce((sum, column) => sum + column.width, GAP * (columns.length - 1));
}
