import { useMemo } from 'react';
import type { ChangedFile } from './changed-files.ts';
import { type DiffLayout, type DiffRow, fileRows } from './diff-rows.ts';
import type { DiffLine } from './parse-patch.ts';

/** All rows of the table, for files that are open and files that are collapsed. */
export interface DiffRows {
  readonly rows: readonly DiffRow[];
  /** A number for each row which it keeps while other files are opened and collapsed. */
  readonly keys: readonly number[];
  /** The row of each file's header. */
  readonly headers: readonly number[];
  /** The rows in which a change begins. */
  readonly changes: readonly number[];
  /** The row of a line; null while its file is collapsed. */
  rowOf(line: DiffLine): number | null;
}

const ROWS_OF_A_FILE = 10_000_000; // more than the largest patch has lines

export function useDiffRows(
  files: readonly ChangedFile[],
  layout: DiffLayout,
  collapsed: ReadonlySet<string>,
): DiffRows {
  const parts = useMemo(() => files.map((file, i) => fileRows(file, i, layout)), [files, layout]);
  return useMemo(() => {
    const rows: DiffRow[] = [];
    const keys: number[] = [];
    const headers: number[] = [];
    const changes: number[] = [];
    const ofLayout = layout === 'split' ? 0 : 0.5; // the same place is another row, with another height
    files.forEach(({ path }, file) => {
      headers.push(rows.length);
      keys.push(file * ROWS_OF_A_FILE);
      rows.push({ kind: 'file', file });
      if (collapsed.has(path)) return;
      parts[file]?.forEach((row, i) => {
        if ('isFirstOfChange' in row && row.isFirstOfChange) changes.push(rows.length);
        keys.push(file * ROWS_OF_A_FILE + i + 1 + ofLayout);
        rows.push(row);
      });
    });
    return { rows, keys, headers, changes, rowOf: lineIndex(rows) };
  }, [files, parts, layout, collapsed]);
}

/** Built when it is needed first: only searches and links into a file ask for it. */
function lineIndex(rows: readonly DiffRow[]): (line: DiffLine) => number | null {
  let index: Map<DiffLine, number> | null = null;
  return (sought) => {
    if (index === null) {
      index = new Map();
      for (const [i, row] of rows.entries()) {
        if (row.kind === 'line') index.set(row.line, i);
        else if (row.kind === 'pair') for (const side of [row.old, row.new]) if (side !== null) index.set(side, i);
      }
    }
    return index.get(sought) ?? null;
  };
}
