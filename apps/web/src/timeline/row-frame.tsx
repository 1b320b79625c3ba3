import { type ReactNode, useContext } from 'react';
import { IssueLink } from '../events/issue-link.tsx';
import { formatDuration } from '../format/duration.ts';
import { formatExact } from '../format/relative-time.ts';
import { classNames } from '../ui/class-names.ts';
import { FoldArrow } from '../ui/fold-arrow.tsx';
import icon from '../ui/icon-button.module.css';
import { RelativeTime } from '../ui/time.tsx';
import hidden from '../ui/visually-hidden.module.css';
import { IsActiveRow, RowActionsContext } from './row-actions.ts';
import styles from './row-frame.module.css';

interface RowFrameProps {
  readonly seq: number;
  readonly at: string;
  readonly since?: string | undefined;
  readonly mark?: ReactNode;
  /** The line of the row, one line long where that is possible. */
  readonly line: ReactNode;
  /** At the end of the line: how long, how much. */
  readonly meta?: ReactNode;
  readonly isOpen?: boolean;
  /** Absent: there is nothing to open. */
  readonly onToggle?: (() => void) | undefined;
  readonly children?: ReactNode;
  /** A stage, whose numbers have a line of their own where there is little room. */
  readonly isStage?: boolean;
}

/** The frame of every row: its line, which opens it, its time, and what is below. */
export function RowFrame({
  seq,
  at,
  since,
  mark,
  line,
  meta,
  isOpen,
  onToggle,
  children,
  isStage = false,
}: RowFrameProps) {
  const tabIndex = useContext(IsActiveRow) ? 0 : -1;
  const hasToggle = onToggle !== undefined;
  return (
    <div className={styles.frame} data-stage={isStage ? '' : undefined}>
      <div className={styles.head}>
        {mark}
        {hasToggle ? (
          <button
            type="button"
            className={styles.toggle}
            aria-expanded={isOpen}
            onClick={onToggle}
            tabIndex={tabIndex}
            data-primary=""
          >
            <FoldArrow />
            <span className={styles.line}>{line}</span>
          </button>
        ) : (
          <span className={classNames(styles.line, styles.still)}>{line}</span>
        )}
        {meta !== undefined && <span className={styles.meta}>{meta}</span>}
        <Permalink seq={seq} at={at} since={since} isPrimary={!hasToggle} />
      </div>
      {children !== undefined && children !== null && children !== false && (
        <div className={styles.body}>{children}</div>
      )}
    </div>
  );
}

interface PermalinkProps {
  readonly seq: number;
  readonly at: string;
  /** The start of the stage: the time is then told from there. */
  readonly since?: string | undefined;
  /** The row has no other control: the focus comes here. */
  readonly isPrimary: boolean;
}

/** When something happened, as the link to it, with a button that copies the link. */
function Permalink({ seq, at, since, isPrimary }: PermalinkProps) {
  const { issueId } = useContext(RowActionsContext);
  const tabIndex = useContext(IsActiveRow) ? 0 : -1;
  const to = { view: 'activity', event: seq } as const;
  return (
    <span className={styles.permalink}>
      <button
        type="button"
        className={classNames(icon.icon, styles.copy)}
        data-copy={seq}
        tabIndex={tabIndex}
        title="Copy the link"
      >
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path d="M6.5 9.5l3-3M7 5l1.5-1.5a2.5 2.5 0 0 1 4 4L11 9M9 11l-1.5 1.5a2.5 2.5 0 0 1-4-4L5 7" />
        </svg>
        <span className={hidden.hidden}>{`Copy the link to event ${seq}`}</span>
      </button>
      <IssueLink
        issueId={issueId}
        to={to}
        data-primary={isPrimary ? '' : undefined}
        tabIndex={tabIndex}
        className={styles.time}
        title={since === undefined ? undefined : formatExact(new Date(at))}
      >
        {since === undefined ? <RelativeTime at={at} /> : `+${formatDuration(Date.parse(at) - Date.parse(since))}`}
      </IssueLink>
    </span>
  );
}
