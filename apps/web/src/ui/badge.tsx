import type { ReactNode } from 'react';
import styles from './badge.module.css';
import { classNames } from './class-names.ts';
import tones from './tones.module.css';

export type Tone = 'neutral' | 'accent' | 'good' | 'bad' | 'warn';

/** A word about the state of something. The tone repeats what the word says, never more. */
export function Badge({ tone = 'neutral', title, children }: { tone?: Tone; title?: string; children: ReactNode }) {
  return (
    <span className={classNames(styles.badge, tones[tone])} title={title}>
      {children}
    </span>
  );
}
