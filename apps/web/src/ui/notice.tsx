import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './notice.module.css';

interface NoticeProps {
  readonly tone: 'good' | 'bad' | 'warn' | 'info';
  readonly children: ReactNode;
  /** What the reader can do about it. */
  readonly action?: ReactNode;
}

/** A message in the page. One that is bad is announced at once, the others when the reader is idle. */
export function Notice({ tone, children, action }: NoticeProps) {
  return (
    <div className={classNames(styles.notice, styles[tone])} role={tone === 'bad' ? 'alert' : 'status'}>
      <div className={styles.text}>{children}</div>
      {action}
    </div>
  );
}
