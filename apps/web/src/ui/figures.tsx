import type { ReactNode } from 'react';
import styles from './figures.module.css';

/** Large figures side by side, each over its name. */
export function FigureList({ children }: { readonly children: ReactNode }) {
  return <dl className={styles.figures}>{children}</dl>;
}

export function Figure({ name, value }: { readonly name: string; readonly value: ReactNode }) {
  return (
    <div className={styles.figure}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
