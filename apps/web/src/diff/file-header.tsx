// biome-ignore-all lint/a11y/useSemanticElements: the rows of a virtual list are positioned, which those of a table element are not
// biome-ignore-all lint/a11y/useFocusableInteractive: these are the roles of a table that is read, not of a grid
import { visibleName } from '../format/visible-text.ts';
import { Badge } from '../ui/badge.tsx';
import { LineCounts } from '../ui/line-counts.tsx';
import type { ChangedFile } from './changed-files.ts';
import styles from './file-header.module.css';

interface FileHeaderProps {
  readonly file: ChangedFile;
  readonly index: number;
  /** How many columns the table has. */
  readonly columns: number;
  readonly isCollapsed: boolean;
  readonly isViewed: boolean;
  readonly onCollapse: (path: string, isCollapsed: boolean) => void;
  readonly onViewed: (path: string, isViewed: boolean) => void;
  readonly measure: (element: HTMLElement | null) => void;
}

const changes = { added: 'New file', deleted: 'Deleted', renamed: 'Renamed', copied: 'Copied', changed: null } as const;

/** The header of a file, which stays in sight while one reads its lines. */
export function FileHeader(props: FileHeaderProps) {
  const { file, index, columns, isCollapsed, isViewed, onCollapse, onViewed, measure } = props;
  const { path, patch, additions, deletions } = file;
  const change = patch === null ? null : changes[patch.change];
  const slash = path.lastIndexOf('/') + 1;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      ref={measure}
      data-index={index}
      data-header=""
      data-collapsed={isCollapsed ? '' : undefined}
      className={styles.header}
    >
      <div role="cell" aria-colspan={columns} className={styles.cell}>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={!isCollapsed}
          aria-label={`Lines of ${visibleName(path)}`}
          onClick={() => onCollapse(path, !isCollapsed)}
        >
          <span aria-hidden="true">{isCollapsed ? '▸' : '▾'}</span>
        </button>
        <h3 className={styles.path} title={visibleName(path)}>
          <bdi>
            <span className={styles.folder}>{visibleName(path.slice(0, slash))}</span>
            {visibleName(path.slice(slash))}
          </bdi>
        </h3>
        {change !== null && <Badge>{change}</Badge>}
        {!file.isPlanned && <Badge tone="warn">Outside the plan</Badge>}
        {file.guarded !== null && <Badge tone="bad">Runs with secrets</Badge>}
        <span className={styles.counts}>
          <LineCounts additions={additions} deletions={deletions} />
        </span>
        <label className={styles.viewed}>
          <input type="checkbox" checked={isViewed} onChange={(event) => onViewed(path, event.target.checked)} /> Viewed
        </label>
      </div>
    </div>
  );
}
