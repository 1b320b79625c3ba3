import { useContext } from 'react';
import { IssueLink } from '../events/issue-link.tsx';
import { formatDuration } from '../format/duration.ts';
import { Badge } from '../ui/badge.tsx';
import { MarkedText } from '../ui/marked-text.tsx';
import { Elapsed } from '../ui/time.tsx';
import styles from './entry.module.css';
import type { EntryProps } from './entry-props.ts';
import { LongText } from './long-text.tsx';
import { Mark } from './mark.tsx';
import { RowActionsContext } from './row-actions.ts';
import { RowFrame } from './row-frame.tsx';

export function CommandEntry({ entry, since, isOpen }: EntryProps<'command'>) {
  const { issueId, toggle, pattern } = useContext(RowActionsContext);
  const { seq, at, command, end } = entry;
  return (
    <RowFrame
      seq={seq}
      at={at}
      since={since}
      isOpen={isOpen}
      onToggle={() => toggle(seq, false)}
      mark={<EndMark end={end} />}
      line={
        <bdi className={styles.code}>
          $ <MarkedText text={command} pattern={pattern} />
        </bdi>
      }
      meta={
        end === null ? (
          <Elapsed since={at} />
        ) : (
          <>
            {end.exit_code !== 0 && (
              <Badge tone="bad">{end.exit_code === null ? 'stopped' : `exit ${end.exit_code}`}</Badge>
            )}
            {formatDuration(end.duration_ms)}
          </>
        )
      }
    >
      {isOpen && (
        <div className={styles.detail}>
          <LongText label="Command" text={command} pattern={pattern} />
          {end !== null && (
            <LongText label={`End of the output, ${exitText(end.exit_code)}`} text={end.text} pattern={pattern} />
          )}
          <p>
            <IssueLink issueId={issueId} to={{ view: 'log', event: seq }}>
              The complete output in the log
            </IssueLink>
          </p>
        </div>
      )}
    </RowFrame>
  );
}

function EndMark({ end }: Pick<EntryProps<'command'>['entry'], 'end'>) {
  if (end === null) return <Mark kind="running" label="Running" />;
  if (end.exit_code === null) return <Mark kind="stopped" label="Stopped" />;
  return end.exit_code === 0 ? <Mark kind="good" label="Succeeded" /> : <Mark kind="bad" label="Failed" />;
}

function exitText(code: number | null): string {
  return code === null ? 'ended by a signal or a limit' : `exit code ${code}`;
}
