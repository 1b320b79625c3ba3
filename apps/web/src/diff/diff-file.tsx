// biome-ignore-all lint/a11y/useSemanticElements: the rows of a virtual list are positioned, which those of a table element are not
import type { VirtualItem } from '@tanstack/react-virtual';
import { useEffect, useSyncExternalStore } from 'react';
import type { ChangedFile } from './changed-files.ts';
import styles from './diff-file.module.css';
import { DiffRowView } from './diff-row-view.tsx';
import { type DiffLayout, diffColumns } from './diff-rows.ts';
import { FileHeader } from './file-header.tsx';
import type { Highlighter } from './highlighter.ts';
import type { DiffLine } from './parse-patch.ts';
import type { DiffRows } from './use-diff-rows.ts';
import type { LineMatches } from './use-diff-search.ts';

/** What a reader does with the files and looks for in them, the same for all. */
export interface DiffReading {
  readonly viewed: ReadonlySet<string>;
  readonly collapsed: ReadonlySet<string>;
  readonly highlighter: Highlighter;
  readonly matches: ReadonlyMap<DiffLine, LineMatches>;
  readonly currentMatch: number | null;
  /** The row that the last jump led to. */
  readonly cursor: number | null;
  readonly onCollapse: (path: string, isCollapsed: boolean) => void;
  readonly onViewed: (path: string, isViewed: boolean) => void;
}

interface DiffFileProps extends DiffReading {
  readonly file: ChangedFile;
  readonly rows: DiffRows;
  readonly layout: DiffLayout;
  /** The row of its header. */
  readonly header: number;
  /** Its rows that are drawn. */
  readonly items: readonly VirtualItem[];
  /** The offset of its first row in the page. */
  readonly origin: number;
  readonly top: number;
  readonly height: number;
  readonly measure: (element: HTMLElement | null) => void;
}

/** A file of the change: a box as high as all its rows, with those that are in the window. */
export function DiffFile(props: DiffFileProps) {
  const { file, rows, header, items, origin, top, height, highlighter, matches, currentMatch, cursor, measure } = props;
  const columns = diffColumns[props.layout].length;
  const isCollapsed = props.collapsed.has(file.path);
  const tokens = useSyncExternalStore(highlighter.subscribe, () => highlighter.tokensOf(file));
  useEffect(() => {
    if (!isCollapsed) highlighter.request(file);
  }, [highlighter, file, isCollapsed]);
  return (
    <div role="rowgroup" className={styles.file} style={{ top, height }}>
      <FileHeader
        file={file}
        index={header}
        columns={columns}
        isCollapsed={isCollapsed}
        isViewed={props.viewed.has(file.path)}
        onCollapse={props.onCollapse}
        onViewed={props.onViewed}
        measure={measure}
      />
      {items.map(({ index, key, start }) => {
        const row = rows.rows[index];
        return (
          row !== undefined && (
            <DiffRowView
              key={key}
              row={row}
              index={index}
              columns={columns}
              top={start - origin}
              isCursor={cursor === index}
              measure={measure}
              tokens={tokens}
              matches={matches}
              currentMatch={currentMatch}
            />
          )
        );
      })}
    </div>
  );
}
