import type { Note } from '../events/fold-milestones.ts';
import { visibleText } from '../format/visible-text.ts';
import { RelativeTime } from '../ui/time.tsx';
import styles from './composer.module.css';

/** The notes so far, and at which turn an agent has read each. */
export function NoteList({ notes, isWorking }: { readonly notes: readonly Note[]; readonly isWorking: boolean }) {
  if (notes.length === 0) return null;
  return (
    <ol className={styles.notes}>
      {notes.map(({ seq, at, text, seen }) => (
        <li key={seq}>
          <p className={styles.text} dir="auto">
            {visibleText(text)}
          </p>
          <p className={styles.seen}>
            sent <RelativeTime at={at} /> ·{' '}
            {seen === null ? (
              isWorking ? (
                'not read yet'
              ) : (
                'not read'
              )
            ) : (
              <>
                ✓ read by {visibleText(seen.agent)} at turn {seen.turn}
              </>
            )}
          </p>
        </li>
      ))}
    </ol>
  );
}
