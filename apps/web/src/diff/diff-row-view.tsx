// biome-ignore-all lint/a11y/useSemanticElements: the rows of a virtual list are positioned, which those of a table element are not
// biome-ignore-all lint/a11y/useFocusableInteractive: these are the roles of a table that is read, not of a grid
import { memo, useMemo } from 'react';
import { visibleText } from '../format/visible-text.ts';
import { classNames } from '../ui/class-names.ts';
import { CodeSpans } from '../ui/code-spans.tsx';
import styles from './diff-row-view.module.css';
import type { DiffRow } from './diff-rows.ts';
import type { FileTokens } from './highlighter.ts';
import { LineText } from './line-text.tsx';
import type { DiffLine } from './parse-patch.ts';
import type { LineMatches } from './use-diff-search.ts';
import { type Span, wordMarks } from './word-marks.ts';

/** The marks that are drawn into the lines. */
interface LineDrawing {
  readonly tokens: FileTokens | undefined;
  readonly matches: ReadonlyMap<DiffLine, LineMatches>;
  readonly currentMatch: number | null;
}

interface DiffRowViewProps extends LineDrawing {
  readonly row: DiffRow;
  readonly index: number;
  /** How many columns the table has. */
  readonly columns: number;
  /** The distance from the top of its file. */
  readonly top: number;
  readonly isCursor: boolean;
  readonly measure: (element: HTMLElement | null) => void;
}

const nothing: readonly Span[] = [];

/** One row below the header of a file. */
export const DiffRowView = memo(function DiffRowView({
  row,
  index,
  columns,
  top,
  isCursor,
  measure,
  ...drawing
}: DiffRowViewProps) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      ref={measure}
      data-index={index}
      data-cursor={isCursor ? '' : undefined}
      className={classNames(styles.row, styles[row.kind])}
      style={{ top }}
    >
      <Cells row={row} columns={columns} drawing={drawing} />
    </div>
  );
});

function Cells({ row, columns, drawing }: { row: DiffRow; columns: number; drawing: LineDrawing }) {
  const [old, fresh] =
    row.kind === 'pair'
      ? [row.old, row.new]
      : row.kind === 'line' && row.line.kind !== 'same'
        ? row.line.kind === 'deleted'
          ? [row.line, row.other]
          : [row.other, row.line]
        : [null, null];
  const marks = useMemo(
    () => (old === null || fresh === null || old.kind === 'same' ? null : wordMarks(old.text, fresh.text)),
    [old, fresh],
  );
  if (row.kind === 'file') return null;
  if (row.kind === 'note')
    return (
      <span role="cell" aria-colspan={columns} className={styles.text} data-tone={row.tone} dir="auto">
        <CodeSpans text={row.text} />
      </span>
    );
  if (row.kind === 'hunk') {
    const { oldStart, newStart, section } = row.hunk;
    return (
      <span role="cell" aria-colspan={columns} className={styles.text}>
        {`Line ${newStart === 0 ? oldStart : newStart}`}
        {section !== '' && <code className={styles.section}>{visibleText(section)}</code>}
      </span>
    );
  }
  if (row.kind === 'line') {
    const { line } = row;
    const ofLine = line.kind === 'deleted' ? marks?.old : marks?.new;
    return (
      <>
        <LineNumber number={line.oldLine} kind={line.kind} />
        <LineNumber number={line.newLine} kind={line.kind} />
        <Code line={line} marks={line.kind === 'same' ? nothing : (ofLine ?? nothing)} drawing={drawing} />
      </>
    );
  }
  return (
    <>
      <LineNumber number={row.old?.oldLine ?? null} kind={row.old?.kind} />
      <Code line={row.old} marks={marks?.old ?? nothing} drawing={drawing} />
      <LineNumber number={row.new?.newLine ?? null} kind={row.new?.kind} />
      <Code line={row.new} marks={marks?.new ?? nothing} drawing={drawing} />
    </>
  );
}

type Kind = DiffLine['kind'] | undefined;

function LineNumber({ number, kind }: { number: number | null; kind: Kind }) {
  return (
    <span role="cell" className={styles.number} data-kind={kind}>
      {number}
    </span>
  );
}

const signs = { same: ' ', added: '+', deleted: '−' } as const;

function Code({ line, marks, drawing }: { line: DiffLine | null; marks: readonly Span[]; drawing: LineDrawing }) {
  if (line === null) return <span role="cell" className={classNames(styles.code, styles.empty)} />;
  const matches = drawing.matches.get(line);
  const after = matches === undefined ? 0 : matches.first + matches.spans.length;
  const isAt =
    matches !== undefined && (drawing.currentMatch ?? -1) >= matches.first && (drawing.currentMatch ?? 0) < after;
  return (
    <span role="cell" className={styles.code} data-kind={line.kind}>
      <span className={styles.sign} aria-hidden="true">
        {signs[line.kind]}
      </span>
      {line.kind !== 'same' && <span className={styles.said}>{`${line.kind}: `}</span>}
      <LineText
        line={line}
        tokens={drawing.tokens?.get(line)}
        marks={marks}
        matches={matches}
        currentMatch={isAt ? drawing.currentMatch : null}
      />
    </span>
  );
}
