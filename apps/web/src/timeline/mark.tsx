import type { Tone } from '../ui/badge.tsx';
import { classNames } from '../ui/class-names.ts';
import tones from '../ui/tones.module.css';
import hidden from '../ui/visually-hidden.module.css';
import styles from './mark.module.css';

export type MarkKind = 'good' | 'bad' | 'retry' | 'running' | 'stopped' | 'person' | 'pause' | 'message' | 'plain';

const paths: Readonly<Record<MarkKind, string>> = {
  good: 'M4 8.5l2.5 2.5L12 5.5',
  bad: 'M5 5l6 6M11 5l-6 6',
  retry: 'M11.5 6.5A4 4 0 1 0 12 9M12 4v3H9',
  running: 'M8 5.5a2.5 2.5 0 1 0 .01 0',
  stopped: 'M5.5 5.5h5v5h-5z',
  person: 'M8 8a2 2 0 1 0-.01 0M4.5 12.5c.5-2 2-2.7 3.5-2.7s3 .7 3.5 2.7',
  pause: 'M6.25 5v6M9.75 5v6',
  message: 'M4.5 5h7v5h-4l-2 1.8V10h-1z',
  plain: 'M7.5 8h1',
};

const toneOf: Partial<Record<MarkKind, Tone>> = {
  good: 'good',
  bad: 'bad',
  retry: 'warn',
  running: 'accent',
  person: 'accent',
};

/** How something ended, as a sign; its words are for those who do not see it. */
export function Mark({ kind, label }: { readonly kind: MarkKind; readonly label: string }) {
  return (
    <span className={classNames(styles.mark, styles[kind], tones[toneOf[kind] ?? 'neutral'])}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
        <path d={paths[kind]} />
      </svg>
      <span className={hidden.hidden}>{label}</span>
    </span>
  );
}
