// biome-ignore-all lint/a11y/useSemanticElements: the rows of a virtual list are positioned, which those of a table element are not
// biome-ignore-all lint/a11y/useFocusableInteractive: these are the roles of a table that is read, not of a grid
import { defaultRangeExtractor, measureElement, useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import {
  type FocusEvent,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { classNames } from '../ui/class-names.ts';
import hidden from '../ui/visually-hidden.module.css';
import type { ChangedFile } from './changed-files.ts';
import { DiffFile, type DiffReading } from './diff-file.tsx';
import { type DiffLayout, diffColumns } from './diff-rows.ts';
import styles from './diff-table.module.css';
import { estimateRow, FILE_GAP, headerHeight, type RowSpace } from './row-heights.ts';
import type { DiffRows } from './use-diff-rows.ts';

/** What the parts around the table can ask of it. */
export interface DiffTableHandle {
  scrollToRow(row: number): void;
  /** The first row below what sticks to the top of the window. */
  firstRow(): number;
  isInView(row: number): boolean;
}

interface DiffTableProps extends DiffReading {
  readonly files: readonly ChangedFile[];
  readonly rows: DiffRows;
  readonly layout: DiffLayout;
  readonly tabWidth: number;
  /** Draws all rows, so that the browser's own search finds them. */
  readonly isWhole: boolean;
  readonly onFileInView: (file: number) => void;
  readonly handle: Ref<DiffTableHandle>;
}

const OVERSCAN = 8; // rows beyond the window; each costs time before the next paint
const CONTEXT = 3; // rows above the one that a jump leads to
const WHOLE_STEP = 200; // rows in one go; more would hold up the page

/** All files and lines as one virtual table that scrolls with the page. */
export function DiffTable(props: DiffTableProps) {
  const { files, rows, layout, tabWidth, isWhole, onFileInView, handle } = props;
  const element = useRef<HTMLDivElement>(null);
  const place = useTablePlace(element);
  const { fromTop: margin, covered } = place;
  const overscan = useOverscan(isWhole, rows.rows.length);
  const { focused, onFocus, onBlur } = useFocusedRow(rows.keys);
  const estimateSize = (row: number) => estimateRow(rows.rows[row], layout, place);
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    count: rows.rows.length,
    estimateSize,
    getItemKey: (row) => rows.keys[row] ?? row,
    measureElement: (node, entry, instance) => {
      // Reading a height while rows are put into the page makes the browser lay it out at once. The observer reports it
      // right after.
      const row = instance.indexFromElement(node);
      if (entry === undefined) return instance.itemSizeCache.get(rows.keys[row] ?? row) ?? estimateSize(row);
      return measureElement(node, entry, instance) + ('header' in node.dataset ? FILE_GAP : 0);
    },
    overscan,
    rangeExtractor: (range) => {
      const drawn = defaultRangeExtractor(range);
      // The row with the focus stays in the page while one scrolls away from it.
      if (focused === null || drawn.includes(focused)) return drawn;
      return [...drawn, focused].sort((a, b) => a - b);
    },
    scrollMargin: margin,
    scrollPaddingStart: covered,
  });
  const items = virtualizer.getVirtualItems();
  const startOf = (row: number) => virtualizer.measurementsCache[row]?.start;

  useImperativeHandle(handle, () => {
    const top = () => window.scrollY + covered;
    return {
      scrollToRow(row) {
        const header = rows.headers[rows.rows[row]?.file ?? 0] ?? 0;
        // The header of a file sticks above its first row. A collapsed file has none.
        const first = rows.rows[header + 1]?.kind === 'file' ? header : header + 1;
        virtualizer.scrollToIndex(Math.max(first, row - CONTEXT), { align: 'start' });
      },
      firstRow: () => virtualizer.getVirtualItemForOffset(top() + 1)?.index ?? 0,
      isInView(row) {
        const { start = 0, end = 0 } = virtualizer.measurementsCache[row] ?? {};
        return end > top() && start < window.scrollY + window.innerHeight;
      },
    };
  }, [virtualizer, covered, rows]);

  const first = virtualizer.getVirtualItemForOffset((virtualizer.scrollOffset ?? 0) + covered + 1)?.index ?? 0;
  const fileInView = rows.rows[first]?.file ?? 0;
  useEffect(() => onFileInView(fileInView), [fileInView, onFileInView]);

  return (
    <div
      role="table"
      aria-label="Changed lines"
      aria-rowcount={rows.rows.length + 1}
      ref={element}
      className={styles.table}
      onFocus={onFocus}
      onBlur={onBlur}
      style={{
        height: virtualizer.getTotalSize(),
        ['--number-width' as string]: `calc(${widestNumber(files)}ch + 1.25ch)`,
        ['--tab-width' as string]: tabWidth,
      }}
    >
      <ColumnHeads layout={layout} />
      {byFile(items, rows).map(({ file, items: ofFile }) => {
        const header = rows.headers[file] ?? 0;
        const start = startOf(header) ?? 0;
        const end = startOf(rows.headers[file + 1] ?? rows.rows.length) ?? virtualizer.getTotalSize() + margin;
        const changed = files[file];
        return (
          changed !== undefined && (
            <DiffFile
              key={changed.path}
              {...props}
              file={changed}
              header={header}
              items={ofFile}
              origin={start + FILE_GAP}
              top={start + FILE_GAP - margin}
              height={end - start - FILE_GAP}
              measure={virtualizer.measureElement}
            />
          )
        );
      })}
    </div>
  );
}

function ColumnHeads({ layout }: { layout: DiffLayout }) {
  return (
    <div role="row" aria-rowindex={1} className={classNames(hidden.hidden, styles.heads)}>
      {diffColumns[layout].map((head) => (
        <span key={head} role="columnheader">
          {head}
        </span>
      ))}
    </div>
  );
}

/** The drawn rows by their files. A file of which any row is drawn has its header, which sticks to the top. */
function byFile(items: readonly VirtualItem[], { rows }: DiffRows): { file: number; items: VirtualItem[] }[] {
  const groups: { file: number; items: VirtualItem[] }[] = [];
  for (const item of items) {
    const row = rows[item.index];
    if (row === undefined) continue;
    if (groups.at(-1)?.file !== row.file) groups.push({ file: row.file, items: [] });
    if (row.kind !== 'file') groups.at(-1)?.items.push(item);
  }
  return groups;
}

function widestNumber(files: readonly ChangedFile[]): number {
  let largest = 99;
  for (const { patch } of files) {
    const last = patch?.hunks.at(-1);
    if (last !== undefined) largest = Math.max(largest, Math.max(last.oldStart, last.newStart) + last.lines.length);
  }
  return String(largest).length;
}

/** The row that has the focus. It is kept by its key: its place changes when files are collapsed. */
function useFocusedRow(keys: readonly number[]) {
  const [key, setKey] = useState<number | null>(null);
  const focused = useMemo(() => (key === null ? -1 : keys.indexOf(key)), [key, keys]);
  return {
    focused: focused === -1 ? null : focused,
    onFocus({ target }: FocusEvent) {
      const index = target.closest<HTMLElement>('[data-index]')?.dataset.index;
      setKey(index === undefined ? null : (keys[Number(index)] ?? null));
    },
    onBlur: () => setKey(null),
  };
}

/** With `isWhole` it grows step by step to all rows. */
function useOverscan(isWhole: boolean, rows: number): number {
  const [overscan, setOverscan] = useState(OVERSCAN);
  useEffect(() => {
    if (!isWhole) {
      setOverscan(OVERSCAN);
      return;
    }
    if (overscan >= rows) return;
    const next = setTimeout(() => setOverscan(overscan + WHOLE_STEP), 0);
    return () => clearTimeout(next);
  }, [isWhole, overscan, rows]);
  return overscan;
}

interface TablePlace extends RowSpace {
  /** How far the table is from the top of the page. */
  readonly fromTop: number;
  /** How much of the window's top is covered by what sticks there, the header of a file included. */
  readonly covered: number;
}

/** The table's offset in the page, in pixels. Read when the layout of the page changes, and not while it is drawn. */
function useTablePlace(table: RefObject<HTMLElement | null>): TablePlace {
  const [place, setPlace] = useState<TablePlace>({ fromTop: 0, covered: 0, width: 0, rem: 16 });
  useLayoutEffect(() => {
    const read = () => {
      const element = table.current;
      if (element === null) return;
      const next = placeOf(element);
      setPlace((before) => (isSame(before, next) ? before : next));
    };
    read();
    const observer = new ResizeObserver(read);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [table]);
  return place;
}

function placeOf(table: HTMLElement): TablePlace {
  const box = table.getBoundingClientRect();
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const heads = table.querySelector('[role=row]');
  const sticks = heads === null ? 0 : Number.parseFloat(getComputedStyle(heads).top) || 0;
  return {
    fromTop: Math.round(box.top + window.scrollY),
    covered: sticks + headerHeight(rem),
    width: box.width,
    rem,
  };
}

function isSame(a: TablePlace, b: TablePlace): boolean {
  return a.fromTop === b.fromTop && a.covered === b.covered && a.width === b.width && a.rem === b.rem;
}
