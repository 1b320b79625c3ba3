import type { ReactNode } from 'react';
import { PageTitle } from '../ui/page.tsx';
import styles from './login-page.module.css';

/** The frame of the pages that need no session. */
export function EntryCard({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <main className={styles.page}>
      <PageTitle title={title} />
      <div className={styles.card}>
        <p className={styles.brand}>Sluice</p>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
