import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useCommand } from '../commands/use-command.ts';
import { counted, formatCount } from '../format/amounts.ts';
import { visibleName } from '../format/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { LineCounts } from '../ui/line-counts.tsx';
import hidden from '../ui/visually-hidden.module.css';
import type { ChangedFile } from './changed-files.ts';
import { tabWidths, useDiffPreferences } from './diff-preferences.ts';
import styles from './diff-reader.module.css';
import { DiffTable, type DiffTableHandle } from './diff-table.tsx';
import { DiffToolbar } from './diff-toolbar.tsx';
import { DiffTree } from './diff-tree.tsx';
import { createHighlighter } from './highlighter.ts';
import { useDiffRows } from './use-diff-rows.ts';
import { useDiffSearch } from './use-diff-search.ts';
import { useDiffSteps } from './use-diff-steps.ts';
import { useViewedFiles } from './use-viewed-files.ts';

/** A place in the change. `line` is one of the new file; null for the file itself. */
export interface DiffPlace {
  readonly path: string;
  readonly line: number | null;
}

interface DiffReaderProps {
  readonly issueId: string;
  readonly files: readonly ChangedFile[];
  /** Where to go: a new object goes there again. */
  readonly place: DiffPlace | null;
  readonly q: string;
  readonly onDownload: () => void;
}

const MAX_WHOLE_ROWS = 4_000; // rows that a browser lays out without being held up noticeably

/** The lines of a change: the tree of its files beside one table of all lines. */
export function DiffReader({ issueId, files, place, q, onDownload }: DiffReaderProps) {
  const preferences = useDiffPreferences();
  const isNarrow = useNarrow();
  const layout = isNarrow ? 'unified' : preferences.layout;
  const { viewed, mark } = useViewedFiles(issueId, files);
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(viewed);
  const [isWhole, setIsWhole] = useState(false);
  const [fileInView, setFileInView] = useState(0);
  const [highlighter] = useState(createHighlighter);
  useEffect(() => highlighter.close, [highlighter]);
  // A button answers at once; thousands of rows may follow a moment later.
  const drawn = { layout: useDeferredValue(layout), collapsed: useDeferredValue(collapsed) };
  const rows = useDiffRows(files, drawn.layout, drawn.collapsed);
  const search = useDiffSearch(files, q);
  const table = useRef<DiffTableHandle>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const steps = useDiffSteps({ files, rows, table });

  const collapse = useCallback((path: string, isCollapsed: boolean) => {
    setCollapsed((before) => {
      const next = new Set(before);
      if (isCollapsed) next.add(path);
      else next.delete(path);
      return next;
    });
  }, []);
  const latestMark = useRef(mark);
  useEffect(() => {
    latestMark.current = mark;
  });
  const onViewed = useCallback(
    (path: string, isViewed: boolean) => {
      latestMark.current(path, isViewed);
      collapse(path, isViewed);
    },
    [collapse],
  );

  const jump = useRef<{ readonly file: number; readonly line: number | null } | null>(null);
  /** Goes to a place as soon as its rows are there: a collapsed file opens first. */
  const goTo = useCallback(
    (file: number, line: number | null) => {
      jump.current = { file, line };
      const path = files[file]?.path;
      if (path !== undefined) setCollapsed((before) => new Set([...before].filter((one) => one !== path)));
    },
    [files],
  );
  useEffect(() => {
    if (jump.current === null || drawn.collapsed !== collapsed) return;
    const { file, line } = jump.current;
    jump.current = null;
    const at = line === null ? null : rowOfLine(files[file], line, rows.rowOf);
    steps.openRow(at ?? rows.headers[file] ?? 0);
  });
  const openFile = useCallback((file: number) => goTo(file, null), [goTo]);
  useEffect(() => {
    const file = place === null ? -1 : files.findIndex(({ path }) => path === place.path);
    if (place !== null && file !== -1) goTo(file, place.line);
  }, [place, files, goTo]);

  const laterStep = useRef<1 | -1 | null>(null);
  const onStep = (by: 1 | -1) => {
    const { matches, current } = search;
    laterStep.current = search.query === search.searched ? null : by;
    if (laterStep.current !== null || matches.length === 0) return;
    const next = current === null ? (by === 1 ? 0 : matches.length - 1) : current + by;
    const number = (next + matches.length) % matches.length;
    const match = matches[number];
    search.setCurrent(number);
    if (match === undefined) return;
    const row = rows.rowOf(match.line);
    if (row === null) goTo(match.file, match.line.newLine);
    else steps.openRow(row);
  };
  useEffect(() => {
    // Enter was pressed before the search had followed the typing.
    if (laterStep.current !== null && search.query === search.searched) onStep(laterStep.current);
  });
  const allCollapsed = files.every(({ path }) => collapsed.has(path));
  const collapseAll = () => setCollapsed(new Set(allCollapsed ? [] : files.map(({ path }) => path)));
  const here = () => files[steps.fileHere()];
  const group = 'Change';
  useCommand({
    id: 'diff.search',
    group,
    label: 'Search in the change',
    keys: '/',
    run: () => searchField.current?.focus(),
  });
  useCommand({
    id: 'diff.viewed',
    group,
    label: 'Mark the file as viewed, or not',
    keys: 'v',
    run: () => {
      const file = here();
      if (file === undefined) return;
      onViewed(file.path, !viewed.has(file.path));
      steps.say(`${visibleName(file.path)}: ${viewed.has(file.path) ? 'not viewed' : 'viewed'}`);
      steps.openRow(rows.headers[steps.fileHere()] ?? 0);
    },
  });
  useCommand({ id: 'diff.download', group, label: 'Download the patch', run: onDownload });
  useCommand({
    id: 'diff.collapse',
    group,
    label: allCollapsed ? 'Open all files' : 'Close all files',
    run: collapseAll,
  });

  const totals = useMemo(
    () => ({
      additions: files.reduce((sum, file) => sum + file.additions, 0),
      deletions: files.reduce((sum, file) => sum + file.deletions, 0),
      unplanned: files.filter(({ isPlanned }) => !isPlanned).length,
    }),
    [files],
  );
  return (
    <section className={styles.reader} aria-label="Changed lines">
      <div className={styles.summary}>
        <p className={styles.totals}>
          <strong>{counted(files.length, 'file')}</strong> changed, <LineCounts {...totals} />
          {totals.unplanned > 0 && <>, {formatCount(totals.unplanned)} not named by the plan</>}
        </p>
        <div className={styles.actions}>
          <label className={styles.tabs}>
            Tab width{' '}
            <select
              value={preferences.tabWidth}
              onChange={(event) => preferences.setTabWidth(Number(event.target.value))}
            >
              {tabWidths.map((width) => (
                <option key={width}>{width}</option>
              ))}
            </select>
          </label>
          <Button onClick={collapseAll}>{allCollapsed ? 'Open all' : 'Close all'}</Button>
          {rows.rows.length <= MAX_WHOLE_ROWS && (
            <Button
              aria-pressed={isWhole}
              title="Draws every line, so that the browser’s own search finds them all"
              onClick={() => setIsWhole(!isWhole)}
            >
              Load all lines
            </Button>
          )}
          <Button onClick={onDownload}>Download the patch</Button>
        </div>
      </div>
      {preferences.error !== null && <ErrorNotice error={preferences.error} />}
      <DiffToolbar
        viewed={files.filter(({ path }) => viewed.has(path)).length}
        files={files.length}
        layout={layout}
        isNarrow={isNarrow}
        onLayout={preferences.setLayout}
        search={search}
        onStep={onStep}
        searchField={searchField}
      />
      <p className={hidden.hidden} role="status">
        {steps.said}
      </p>
      <div className={styles.columns}>
        <details className={styles.tree} open={!isNarrow}>
          <summary>Files</summary>
          <DiffTree files={files} viewed={viewed} current={fileInView} onOpen={openFile} />
        </details>
        <DiffTable
          files={files}
          rows={rows}
          layout={drawn.layout}
          tabWidth={preferences.tabWidth}
          viewed={viewed}
          collapsed={collapsed}
          highlighter={highlighter}
          matches={search.byLine}
          currentMatch={search.current}
          cursor={steps.cursor}
          isWhole={isWhole}
          onFileInView={setFileInView}
          onCollapse={collapse}
          onViewed={onViewed}
          handle={table}
        />
      </div>
    </section>
  );
}

function rowOfLine(
  file: ChangedFile | undefined,
  lineNumber: number,
  rowOf: ReturnType<typeof useDiffRows>['rowOf'],
): number | null {
  const lines = file?.patch?.hunks.flatMap((hunk) => hunk.lines) ?? [];
  const line = lines.find(({ newLine }) => newLine === lineNumber);
  return line === undefined ? null : rowOf(line);
}

const narrow = window.matchMedia('(max-width: 60rem)'); // below, a line of code does not fit twice

/** Whether the window is too narrow for two columns. */
function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches);
}

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
}
