import { type ReactNode, useContext } from 'react';
import { classNames } from '../ui/class-names.ts';
import { FoldArrow } from '../ui/fold-arrow.tsx';
import { Permalink } from './permalink.tsx';
import { IsActiveRow } from './row-actions.ts';
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
