import type { ReactNode } from 'react';
import styles from './section.module.css';

interface SectionProps {
  readonly title: string;
  /** The anchor by which an address leads here. */
  readonly id?: string | undefined;
  /** What the section is for, where the heading does not say it. */
  readonly about?: ReactNode;
  /** Beside the heading: what can be done with the whole section. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page under its own heading, on a surface of its own. */
export function Section({ title, id, about, actions, children }: SectionProps) {
  return (
    <section className={styles.section} id={id}>
      <div className={styles.head}>
        <h2>{title}</h2>
        {actions}
      </div>
      {about !== undefined && <div className={styles.about}>{about}</div>}
      {children}
    </section>
  );
}
