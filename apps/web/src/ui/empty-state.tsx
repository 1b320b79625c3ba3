import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

/** The message of an empty place: what would be here, and what to do first. */
export function EmptyState({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      <div className={styles.text}>{children}</div>
      {action}
    </div>
  );
}
