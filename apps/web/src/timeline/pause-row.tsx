import { formatDuration } from '../format/duration.ts';
import { formatExact } from '../format/relative-time.ts';
import { Elapsed } from '../ui/time.tsx';
import { Mark } from './mark.tsx';
import styles from './pause-row.module.css';
import { RowFrame } from './row-frame.tsx';
import type { Pause } from './timeline-item.ts';

const past: Readonly<Record<Pause['why'], string>> = {
  decision: 'Waited for a decision',
  queue: 'In the queue',
  repo: 'Waited for another issue on the repository',
  retry: 'Waited before the next attempt',
  start: 'Waited for somebody to start it',
};

const present: Readonly<Record<Pause['why'], string>> = {
  decision: 'Waits for a decision',
  queue: 'In the queue',
  repo: 'Waits for another issue on the repository',
  retry: 'Waits before the next attempt',
  start: 'Waits for somebody to start it',
};

/** A time in which nothing worked, however long, as one row. */
export function PauseRow({ pause: { seq, at, until, why } }: { readonly pause: Pause }) {
  return (
    <RowFrame
      seq={seq}
      at={at}
      mark={<Mark kind="pause" label="Pause" />}
      line={
        <span className={until === null ? styles.now : styles.past}>
          {until === null ? present[why] : past[why]},{' '}
          {until === null ? (
            <Elapsed since={at} />
          ) : (
            <span title={`until ${formatExact(new Date(until))}`}>
              {formatDuration(Date.parse(until) - Date.parse(at))}
            </span>
          )}
        </span>
      }
    />
  );
}
