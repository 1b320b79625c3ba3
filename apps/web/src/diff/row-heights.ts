import type { DiffLayout, DiffRow } from './diff-rows.ts';

/** The window as the rows are laid out in it, in pixels. */
export interface RowSpace {
  readonly rem: number;
  /** The width of the table. */
  readonly width: number;
}

export const FILE_GAP = 12; // pixels between two files
export const FIRST_CHARACTERS = 2_000; // of a line, which is cut after them at first: some screens of a phone

const HEADER_REM = 2.5; // as in file-header.module.css, with its line below
const NOTE_REM = 2.25;
const HUNK_REM = 1.75;
const LINE_REM = 1.25;
const CHARACTER_REM = 0.78 * 0.602; // what a character of the usual monospaced fonts takes
const NUMBERS_REM = 5; // the two columns of line numbers
const PADDING_REM = 1.6; // the sign and the padding of a side

/** How high the header of a file is while its path takes one line. */
export function headerHeight(rem: number): number {
  return HEADER_REM * rem + 1;
}

/** How high a row is before it was drawn: exact for most, so that little moves when it is. */
export function estimateRow(row: DiffRow | undefined, layout: DiffLayout, { rem, width }: RowSpace): number {
  if (row === undefined || row.kind === 'file') return headerHeight(rem) + FILE_GAP;
  if (row.kind === 'note') return NOTE_REM * rem;
  if (row.kind === 'hunk') return HUNK_REM * rem;
  const sides = layout === 'split' ? 2 : 1;
  const columns = Math.floor(((width / rem - NUMBERS_REM) / sides - PADDING_REM) / CHARACTER_REM);
  const length =
    row.kind === 'line' ? row.line.text.length : Math.max(row.old?.text.length ?? 0, row.new?.text.length ?? 0);
  return LINE_REM * rem * Math.max(1, Math.ceil(Math.min(length, FIRST_CHARACTERS) / Math.max(columns, 1)));
}
