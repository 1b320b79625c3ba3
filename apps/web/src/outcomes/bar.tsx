import styles from './outcomes.module.css';

/** A part of a whole, drawn. The number beside it says the same, so that it is hidden from those who cannot see it. */
export function Bar({ part, whole }: { readonly part: number; readonly whole: number }) {
  const percent = whole === 0 ? 0 : (part / whole) * 100;
  return (
    <span className={styles.track} aria-hidden="true">
      <span className={styles.bar} style={{ inlineSize: `${percent}%` }} />
    </span>
  );
}
