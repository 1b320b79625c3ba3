import { type RefObject, useState } from 'react';
import { useCommand } from '../commands/use-command.ts';
import { formatCount } from '../format/amounts.ts';
import { visibleName } from '../format/visible-text.ts';
import type { ChangedFile } from './changed-files.ts';
import type { DiffTableHandle } from './diff-table.tsx';
import type { DiffRows } from './use-diff-rows.ts';

interface Stepped {
  readonly files: readonly ChangedFile[];
  readonly rows: DiffRows;
  readonly table: RefObject<DiffTableHandle | null>;
}

/** Jumps from file to file and from change to change, by keys too, and says where each led. */
export function useDiffSteps({ files, rows, table }: Stepped) {
  const [cursor, setCursor] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  /** Where the reader is: at the last jump while that is in view, else at the top of the window. */
  const place = () => (cursor !== null && table.current?.isInView(cursor) ? cursor : (table.current?.firstRow() ?? 0));
  const goTo = (row: number | undefined, what: string) => {
    if (row === undefined) return setSaid(`There is no further ${what.toLowerCase()}.`);
    setCursor(row);
    table.current?.scrollToRow(row);
    const file = rows.rows[row]?.file ?? 0;
    const list = what === 'File' ? rows.headers : rows.changes;
    const number = list.indexOf(row) + 1;
    setSaid(`${what} ${formatCount(number)} of ${formatCount(list.length)}: ${visibleName(files[file]?.path ?? '')}`);
  };
  const step = (list: readonly number[], by: 1 | -1) =>
    by === 1 ? list.find((row) => row > place()) : list.findLast((row) => row < place());
  const group = 'Change';
  useCommand({
    id: 'diff.nextFile',
    group,
    label: 'Next file',
    keys: 'n',
    run: () => goTo(step(rows.headers, 1), 'File'),
  });
  useCommand({
    id: 'diff.previousFile',
    group,
    label: 'Previous file',
    keys: 'p',
    run: () => goTo(step(rows.headers, -1), 'File'),
  });
  useCommand({
    id: 'diff.nextChange',
    group,
    label: 'Next change',
    keys: 'j',
    run: () => goTo(step(rows.changes, 1), 'Change'),
  });
  useCommand({
    id: 'diff.previousChange',
    group,
    label: 'Previous change',
    keys: 'k',
    run: () => goTo(step(rows.changes, -1), 'Change'),
  });
  return {
    cursor,
    said,
    /** The file at which the reader is. */
    fileHere: () => rows.rows[place()]?.file ?? 0,
    openRow(row: number) {
      setCursor(row);
      table.current?.scrollToRow(row);
    },
  };
}
