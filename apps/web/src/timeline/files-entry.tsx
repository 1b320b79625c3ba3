import { useContext } from 'react';
import { IssueLink } from '../events/issue-link.tsx';
import { counted } from '../format/amounts.ts';
import { LineCounts } from '../ui/line-counts.tsx';
import { MarkedText } from '../ui/marked-text.tsx';
import styles from './entry.module.css';
import type { EntryProps } from './entry-props.ts';
import { Mark } from './mark.tsx';
import { RowActionsContext } from './row-actions.ts';
import { RowFrame } from './row-frame.tsx';

const MAX_FILES = 200;

export function FilesEntry({ entry, since, isOpen }: EntryProps<'files'>) {
  const { issueId, toggle, pattern } = useContext(RowActionsContext);
  const { seq, at, files } = entry;
  const sum = (of: 'additions' | 'deletions') => files.reduce((total, file) => total + file[of], 0);
  return (
    <RowFrame
      seq={seq}
      at={at}
      since={since}
      isOpen={isOpen}
      onToggle={() => toggle(seq, false)}
      mark={<Mark kind="plain" label="Change" />}
      line={
        <>
          <span className={styles.what}>Changes now:</span> {counted(files.length, 'file')}{' '}
          <LineCounts additions={sum('additions')} deletions={sum('deletions')} />
        </>
      }
    >
      {isOpen && (
        <ul className={styles.files}>
          {files.slice(0, MAX_FILES).map(({ path, additions, deletions }) => (
            <li key={path}>
              <IssueLink issueId={issueId} to={{ view: 'diff', file: path }}>
                <bdi className={styles.code}>
                  <MarkedText text={path} pattern={pattern} />
                </bdi>
              </IssueLink>{' '}
              <LineCounts additions={additions} deletions={deletions} />
            </li>
          ))}
          {files.length > MAX_FILES && <li>and {counted(files.length - MAX_FILES, 'more file')}</li>}
        </ul>
      )}
    </RowFrame>
  );
}
