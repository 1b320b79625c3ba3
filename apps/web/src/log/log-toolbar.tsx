import { counted, formatCount } from '../format/amounts.ts';
import { Button } from '../ui/button.tsx';
import { StepSearch } from '../ui/step-search.tsx';
import styles from './log-toolbar.module.css';

/** Takes the whole log away as a file. */
export interface LogDownload {
  readonly isBusy: boolean;
  readonly onStart: () => void;
}

interface LogToolbarProps {
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
  readonly download: LogDownload;
}

/** Search in the log, and how it is shown. */
export function LogToolbar(props: LogToolbarProps) {
  const { query, onQuery, hits, onStep, isWrapped, onWrap, isAllOpen, onOpenAll, follow, download } = props;
  return (
    <div className={styles.toolbar}>
      <StepSearch
        label="Search the log"
        query={query}
        onQuery={onQuery}
        found={hits === null ? null : lineCount(hits)}
        hasMatch={hits !== null && hits.count > 0}
        onStep={onStep}
      />
      {follow !== undefined && (
        <Button aria-pressed={follow.isOn} onClick={follow.onToggle}>
          Follow
        </Button>
      )}
      <Button aria-pressed={isWrapped} onClick={onWrap}>
        Wrap
      </Button>
      <Button onClick={onOpenAll}>{isAllOpen ? 'Close all' : 'Open all'}</Button>
      <Button busy={download.isBusy} onClick={download.onStart}>
        Download
      </Button>
    </div>
  );
}

function lineCount({ count, current }: NonNullable<LogToolbarProps['hits']>): string {
  return count === 0 ? 'No match' : `${formatCount(current + 1)} of ${counted(count, 'line')}`;
}
