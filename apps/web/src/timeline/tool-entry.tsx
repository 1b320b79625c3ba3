import { useContext } from 'react';
import { formatDuration } from '../format/duration.ts';
import { visibleText } from '../format/visible-text.ts';
import { MarkedText } from '../ui/marked-text.tsx';
import styles from './entry.module.css';
import type { EntryProps } from './entry-props.ts';
import { LongText } from './long-text.tsx';
import { Mark } from './mark.tsx';
import { RowActionsContext } from './row-actions.ts';
import { RowFrame } from './row-frame.tsx';
import { toolSubject } from './tool-subject.ts';

export function ToolEntry({ entry, since, isOpen }: EntryProps<'tool'>) {
  const { toggle, pattern } = useContext(RowActionsContext);
  const { seq, at, tool, input, result } = entry;
  return (
    <RowFrame
      seq={seq}
      at={at}
      since={since}
      isOpen={isOpen}
      onToggle={() => toggle(seq, false)}
      mark={<ResultMark result={result} />}
      line={
        <>
          <bdi className={styles.what}>{visibleText(tool)}</bdi>{' '}
          <bdi className={styles.code}>
            <MarkedText text={toolSubject(input)} pattern={pattern} />
          </bdi>
        </>
      }
      meta={result === null ? 'running' : formatDuration(result.ms)}
    >
      {isOpen && (
        <div className={styles.detail}>
          {Object.entries(input).map(([name, value]) => (
            <LongText
              key={name}
              label={name}
              text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
              pattern={pattern}
            />
          ))}
          {result !== null && (
            <LongText label={result.ok ? 'Result' : 'Failed with'} text={result.summary} pattern={pattern} />
          )}
        </div>
      )}
    </RowFrame>
  );
}

function ResultMark({ result }: Pick<EntryProps<'tool'>['entry'], 'result'>) {
  if (result === null) return <Mark kind="running" label="Running" />;
  return result.ok ? <Mark kind="plain" label="Succeeded" /> : <Mark kind="bad" label="Failed" />;
}
