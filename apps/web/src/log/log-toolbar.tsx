import type { KeyboardEvent } from 'react';
import { counted, formatCount } from '../format/amounts.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { fileName } from '../ui/save-file.ts';
import styles from './log-toolbar.module.css';

interface LogToolbarProps {
  readonly issueId: string;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  /** How many lines were found, and the place among them of the one that is shown; null: nothing is searched for. */
  readonly hits: { readonly count: number; readonly current: number } | null;
  readonly onStep: (by: 1 | -1) => void;
  readonly isWrapped: boolean;
  readonly onWrap: () => void;
  readonly isAllOpen: boolean;
  readonly onOpenAll: () => void;
  /** Absent: nothing runs, so there is nothing to follow. */
  readonly follow?: { readonly isOn: boolean; readonly onToggle: () => void } | undefined;
}

/** Search in the log, and how it is shown. */
export function LogToolbar(props: LogToolbarProps) {
  const { issueId, query, onQuery, hits, onStep, isWrapped, onWrap, isAllOpen, onOpenAll, follow } = props;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    onStep(event.shiftKey ? -1 : 1);
  };
  const isEmpty = hits === null || hits.count === 0;
  return (
    <div className={styles.toolbar}>
      <input
        type="search"
        className={styles.search}
        aria-label="Search the log"
        placeholder="Search the log"
        value={query}
        onChange={(event) => onQuery(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <span role="status" className={styles.found}>
        {hits !== null &&
          (hits.count === 0 ? 'No match' : `${formatCount(hits.current + 1)} of ${counted(hits.count, 'line')}`)}
      </span>
      <Button
        disabled={isEmpty}
        onClick={() => onStep(-1)}
        title="Previous (Shift+Enter)"
        aria-label="Previous line found"
      >
        ↑
      </Button>
      <Button disabled={isEmpty} onClick={() => onStep(1)} title="Next (Enter)" aria-label="Next line found">
        ↓
      </Button>
      <span className={styles.space} />
      {follow !== undefined && (
        <Button aria-pressed={follow.isOn} onClick={follow.onToggle}>
          Follow
        </Button>
      )}
      <Button aria-pressed={isWrapped} onClick={onWrap}>
        Wrap
      </Button>
      <Button onClick={onOpenAll}>{isAllOpen ? 'Close all' : 'Open all'}</Button>
      <a className={buttonClass('plain')} href={`/api/issues/${issueId}/log`} download={fileName(issueId, 'log')}>
        Download
      </a>
    </div>
  );
}
