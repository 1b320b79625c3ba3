import styles from './fold-arrow.module.css';

/** The arrow inside a button that opens and closes something, which it follows. */
export function FoldArrow() {
  return (
    <svg viewBox="0 0 16 16" width="12" height="12" className={styles.arrow} aria-hidden="true">
      <path d="M6 4l4 4-4 4" />
    </svg>
  );
}
