import { memo } from 'react';
import { IssueLink } from '../events/issue-link.tsx';
import { formatCount } from '../format/amounts.ts';
import { TerminalText } from '../ui/terminal-text.tsx';
import styles from './log-line.module.css';

export const SHOWN_CHARACTERS = 2_000;
const MORE_CHARACTERS = 20_000;

interface LogLineProps {
  readonly issueId: string;
  /** The run that wrote it; null where it is unknown: then the line has no link. */
  readonly run: number | null;
  readonly number: number;
  readonly text: string;
  readonly isError: boolean;
  /** How many characters are shown. */
  readonly shown: number;
  readonly onMore: (characters: number) => void;
  readonly pattern: RegExp | null;
}

/** A line of output with its number, which is the link to it. A very long one is shown in parts. */
export const LogLine = memo(function LogLine({
  issueId,
  run,
  number,
  text,
  isError,
  shown,
  onMore,
  pattern,
}: LogLineProps) {
  return (
    <>
      {run === null ? (
        <span className={styles.number}>{number}</span>
      ) : (
        <IssueLink
          className={styles.number}
          issueId={issueId}
          to={{ view: 'log', event: run }}
          hash={`L${number}`}
          tabIndex={-1}
          aria-label={`Link to line ${number}`}
        >
          {number}
        </IssueLink>
      )}
      <span className={styles.stream} title={isError ? 'stderr' : undefined}>
        {isError ? '!' : ''}
      </span>
      <span className={styles.text}>
        <TerminalText text={text.length > shown ? text.slice(0, shown) : text} pattern={pattern} />
        {text.length > shown && (
          <button type="button" className={styles.more} onClick={() => onMore(shown + MORE_CHARACTERS)}>
            {`… ${formatCount(text.length - shown)} more characters`}
          </button>
        )}
      </span>
    </>
  );
});
