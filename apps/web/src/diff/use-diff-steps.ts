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
  /** The reader's place: the last jump while that is in view, else the top of the window. */
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
  const fileHere = () => rows.rows[place()]?.file ?? 0;
  const nextFile = () => goTo(rows.headers[fileHere() + 1], 'File');
  /** From the middle of a file its own header comes first. */
  const previousFile = () => {
    const file = fileHere();
    const isBelow = (table.current?.firstRow() ?? 0) > (rows.headers[file] ?? 0) + 1;
    goTo(rows.headers[isBelow ? file : file - 1], 'File');
  };
  const nextChange = () =>
    goTo(
      rows.changes.find((row) => row > place()),
      'Change',
    );
  const previousChange = () =>
    goTo(
      rows.changes.findLast((row) => row < place()),
      'Change',
    );
  const group = 'Change';
  useCommand({
    id: 'diff.nextFile',
    group,
    label: 'Next file',
    keys: 'n',
    run: nextFile,
  });
  useCommand({
    id: 'diff.previousFile',
    group,
    label: 'Previous file',
    keys: 'p',
    run: previousFile,
  });
  useCommand({
    id: 'diff.nextChange',
    group,
    label: 'Next change',
    keys: 'j',
    run: nextChange,
  });
  useCommand({
    id: 'diff.previousChange',
    group,
    label: 'Previous change',
    keys: 'k',
    run: previousChange,
  });
  return {
    cursor,
    said,
    say: setSaid,
    /** The file at which the reader is. */
    fileHere,
    openRow(row: number) {
      setCursor(row);
      table.current?.scrollToRow(row);
    },
  };
}
