import { counted, formatCount } from '../format/amounts.ts';
import styles from './line-counts.module.css';

/** Lines added and deleted, with their signs and in words. */
export function LineCounts({ additions, deletions }: { readonly additions: number; readonly deletions: number }) {
  return (
    <span
      role="img"
      aria-label={`${counted(additions, 'line')} added, ${counted(deletions, 'line')} deleted`}
      className={styles.counts}
    >
      <span className={styles.added}>+{formatCount(additions)}</span>{' '}
      <span className={styles.deleted}>−{formatCount(deletions)}</span>
    </span>
  );
}
