import type { ChangedFile } from './changed-files.ts';
import type { DiffLine, Hunk } from './parse-patch.ts';

export type DiffLayout = 'split' | 'unified';

/** The columns of the table by their names. */
export const diffColumns: Readonly<Record<DiffLayout, readonly string[]>> = {
  split: ['Old line', 'Before', 'New line', 'After'],
  unified: ['Old line', 'New line', 'Text of the line'],
};

interface RowPlace {
  /** The index of the file. */
  readonly file: number;
}

/** One row of the table of a diff. A `pair` has the two sides beside each other; a missing side is empty. */
export type DiffRow = RowPlace &
  (
    | { readonly kind: 'file' }
    | { readonly kind: 'note'; readonly tone: 'plain' | 'warn'; readonly text: string }
    | { readonly kind: 'hunk'; readonly hunk: Hunk }
    | {
        readonly kind: 'line';
        readonly line: DiffLine;
        /** The other version of the line. */
        readonly other: DiffLine | null;
        readonly isFirstOfChange: boolean;
      }
    | {
        readonly kind: 'pair';
        readonly old: DiffLine | null;
        readonly new: DiffLine | null;
        readonly isFirstOfChange: boolean;
      }
  );

/** The rows of a file below its header. */
export function fileRows(changed: ChangedFile, file: number, layout: DiffLayout): DiffRow[] {
  const { patch } = changed;
  const warnings: DiffRow[] = warningsOf(changed).map((text) => ({ kind: 'note', tone: 'warn', file, text }));
  const notes = warnings.concat(notesOf(changed).map((text) => ({ kind: 'note', tone: 'plain', file, text })));
  if (patch === null) return notes;
  return patch.hunks.reduce<DiffRow[]>((rows, hunk) => {
    rows.push({ kind: 'hunk', file, hunk });
    for (const block of blocksOf(hunk.lines)) pushBlock(rows, block, { file, layout });
    return rows;
  }, notes);
}

/** What an approver must not overlook. */
function warningsOf({ isPlanned, reason, guarded }: ChangedFile): string[] {
  const outside = reason === null ? 'The agent gave no reason.' : `The agent’s reason: ${reason}`;
  return [
    ...(guarded === null ? [] : [guarded]),
    ...(isPlanned ? [] : [`The plan does not name this file. ${outside}`]),
  ];
}

function notesOf({ patch }: ChangedFile): string[] {
  if (patch === null) return ['This file is not in the patch: the patch is too large. Its lines are on the branch.'];
  const { mode, from, isBinary, hunks } = patch;
  return [
    ...(mode === null ? [] : [`The mode of the file was changed from ${mode.old} to ${mode.new}.`]),
    ...(from === null ? [] : [`${patch.change === 'copied' ? 'Copied' : 'Renamed'} from ${from}.`]),
    ...(isBinary ? ['This is a binary file. Its content is not shown.'] : []),
    ...(!isBinary && hunks.length === 0 && mode === null && from === null ? [emptyNote[patch.change] ?? ''] : []),
  ];
}

const emptyNote: Readonly<Record<string, string>> = {
  added: 'An empty file was added.',
  deleted: 'An empty file was deleted.',
  changed: 'No line of this file differs.',
};

interface Block {
  readonly same: readonly DiffLine[];
  readonly deleted: readonly DiffLine[];
  readonly added: readonly DiffLine[];
}

/** Runs of unchanged lines, and runs of deleted lines with the added lines in their place. */
function blocksOf(lines: readonly DiffLine[]): Block[] {
  const blocks: { same: DiffLine[]; deleted: DiffLine[]; added: DiffLine[] }[] = [];
  let before: DiffLine['kind'] | null = null;
  for (const line of lines) {
    const isNext = (line.kind === 'same') !== (before === 'same') || (line.kind === 'deleted' && before === 'added');
    if (before === null || isNext) blocks.push({ same: [], deleted: [], added: [] });
    blocks.at(-1)?.[line.kind].push(line);
    before = line.kind;
  }
  return blocks;
}

function pushBlock(rows: DiffRow[], block: Block, { file, layout }: { file: number; layout: DiffLayout }): void {
  const { same, deleted, added } = block;
  if (layout === 'unified') {
    for (const line of same) rows.push({ kind: 'line', file, line, other: null, isFirstOfChange: false });
    [...deleted, ...added].forEach((line, i) => {
      const other = line.kind === 'deleted' ? added[i] : deleted[i - deleted.length];
      rows.push({ kind: 'line', file, line, other: other ?? null, isFirstOfChange: i === 0 });
    });
    return;
  }
  for (const line of same) rows.push({ kind: 'pair', file, old: line, new: line, isFirstOfChange: false });
  for (let i = 0; i < Math.max(deleted.length, added.length); i += 1)
    rows.push({ kind: 'pair', file, old: deleted[i] ?? null, new: added[i] ?? null, isFirstOfChange: i === 0 });
}
