import { memo, useMemo, useState } from 'react';
import { formatCount } from '../format/amounts.ts';
import { visibleName } from '../format/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { LineCounts } from '../ui/line-counts.tsx';
import type { ChangedFile } from './changed-files.ts';
import styles from './diff-tree.module.css';
import { fileTree, type TreeRow } from './file-tree.ts';

const AT_ONCE = 300; // rows; more are drawn when they are asked for

interface DiffTreeProps {
  readonly files: readonly ChangedFile[];
  readonly viewed: ReadonlySet<string>;
  /** The file that is read. */
  readonly current: number;
  readonly onOpen: (file: number) => void;
}

/** The files of a change by their folders. Each leads to its lines. */
export const DiffTree = memo(function DiffTree({ files, viewed, current, onOpen }: DiffTreeProps) {
  const rows = useMemo(() => fileTree(files.map(({ path }) => path)), [files]);
  const [shown, setShown] = useState(AT_ONCE);
  const more = rows.length - shown;
  return (
    <nav aria-label="Changed files" className={styles.tree}>
      <ul className={styles.list}>
        {rows.slice(0, shown).map((row, i) => {
          const file = row.kind === 'file' ? files[row.file] : undefined;
          return (
            <TreeEntry
              // biome-ignore lint/suspicious/noArrayIndexKey: a row of the tree is nothing but its place
              key={i}
              row={row}
              file={file}
              isViewed={file !== undefined && viewed.has(file.path)}
              isCurrent={row.kind === 'file' && row.file === current}
              onOpen={onOpen}
            />
          );
        })}
      </ul>
      {more > 0 && (
        <Button tone="quiet" onClick={() => setShown(shown + AT_ONCE)}>
          {formatCount(more)} more
        </Button>
      )}
    </nav>
  );
});

interface TreeEntryProps {
  readonly row: TreeRow;
  readonly file: ChangedFile | undefined;
  readonly isViewed: boolean;
  readonly isCurrent: boolean;
  readonly onOpen: (file: number) => void;
}

const TreeEntry = memo(function TreeEntry({ row, file, isViewed, isCurrent, onOpen }: TreeEntryProps) {
  const indent = { paddingInlineStart: `${row.depth * 0.75 + 0.5}rem` };
  if (row.kind === 'folder' || file === undefined)
    return (
      <li className={styles.folder} style={indent}>
        <bdi>{visibleName(row.name)}/</bdi>
      </li>
    );
  return (
    <li>
      <button
        type="button"
        className={styles.file}
        style={indent}
        title={visibleName(file.path)}
        aria-current={isCurrent ? 'true' : undefined}
        onClick={() => onOpen(row.file)}
      >
        <bdi className={styles.name} data-viewed={isViewed ? '' : undefined}>
          {visibleName(row.name)}
        </bdi>
        {isViewed && (
          <span className={styles.viewed} role="img" aria-label="viewed">
            ✓
          </span>
        )}
        {!file.isPlanned && (
          <span className={styles.unplanned} title={`The plan does not name this file. ${file.reason ?? ''}`}>
            unplanned
          </span>
        )}
        {file.guarded !== null && (
          <span className={styles.guarded} title={file.guarded}>
            secrets
          </span>
        )}
        <LineCounts additions={file.additions} deletions={file.deletions} />
      </button>
    </li>
  );
});
