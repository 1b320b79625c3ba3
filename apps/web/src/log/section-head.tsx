import { counted } from '../format/amounts.ts';
import { formatDuration } from '../format/duration.ts';
import { visibleText } from '../format/visible-text.ts';
import { Badge } from '../ui/badge.tsx';
import { FoldArrow } from '../ui/fold-arrow.tsx';
import { Elapsed } from '../ui/time.tsx';
import type { LogSection } from './log-book.ts';
import styles from './section-head.module.css';

interface SectionHeadProps {
  readonly section: LogSection;
  readonly lines: number;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** One run of a command: what, how it ended, how long, how many lines. It folds the output. */
export function SectionHead({ section: { command, run, at }, lines, isOpen, onToggle }: SectionHeadProps) {
  return (
    <button type="button" className={styles.head} aria-expanded={isOpen} onClick={onToggle}>
      <FoldArrow />
      <bdi className={styles.command} title={visibleText(command)}>
        $ {visibleText(command.replaceAll(/\s+/g, ' '))}
      </bdi>
      {run !== null && <RunEnd run={run} />}
      <span className={styles.meta}>
        {run?.end != null && formatDuration(run.end.durationMs)}
        {run?.end === null && <Elapsed since={at} />}
      </span>
      <span className={styles.meta}>{counted(lines, 'line')}</span>
    </button>
  );
}

function RunEnd({ run: { end } }: { readonly run: NonNullable<LogSection['run']> }) {
  if (end === null) return <Badge tone="accent">running</Badge>;
  if (end.exitCode === null) return <Badge tone="bad">stopped</Badge>;
  return <Badge tone={end.exitCode === 0 ? 'good' : 'bad'}>{`exit ${end.exitCode}`}</Badge>;
}
