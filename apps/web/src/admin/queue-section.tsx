import { Link } from '@tanstack/react-router';
import { counted, formatCount } from '../format/amounts.ts';
import { stageWords, statusWords } from '../format/issue-words.ts';
import { visibleText } from '../format/visible-text.ts';
import { Badge } from '../ui/badge.tsx';
import { Figure, FigureList } from '../ui/figures.tsx';
import rows from '../ui/rows.module.css';
import { Section } from '../ui/section.tsx';
import { Elapsed } from '../ui/time.tsx';
import styles from './admin.module.css';
import type { Overview, Slot } from './overview-query.ts';

interface QueueSectionProps {
  readonly overview: Overview;
  /** The operator's own issues lead to their pages; those of others cannot be opened. */
  readonly userId: string | undefined;
}

/** What waits, and what holds the slots. */
export function QueueSection({ overview: { queue, slots, workers }, userId }: QueueSectionProps) {
  const taken = slots.filter(({ holder }) => holder !== null).length;
  return (
    <Section title="Queue and slots" id="queue">
      <FigureList>
        <Figure name="slots taken" value={`${formatCount(taken)} of ${formatCount(slots.length)}`} />
        <Figure name="wait for a slot" value={counted(queue.waiting_for_slot, 'issue')} />
        <Figure name="wait for their repository" value={counted(queue.waiting_for_repo, 'issue')} />
        {queue.oldest_queued_at !== null && (
          <Figure name="the first of them waits" value={<Elapsed since={queue.oldest_queued_at} />} />
        )}
      </FigureList>
      <ul className={rows.rows}>
        {slots.map((slot) => (
          <SlotRow
            key={slot.number}
            slot={slot}
            isOwn={slot.holder?.owner.id === userId}
            host={workers.find(({ id }) => id === slot.holder?.worker_id)?.host}
          />
        ))}
      </ul>
    </Section>
  );
}

interface SlotRowProps {
  readonly slot: Slot;
  readonly isOwn: boolean;
  readonly host: string | undefined;
}

function SlotRow({ slot: { number, retired, holder }, isOwn, host }: SlotRowProps) {
  const label = (
    <span className={styles.number}>
      <span className={styles.soft}>Slot</span> {number}
    </span>
  );
  if (holder === null)
    return (
      <li className={rows.row}>
        {label} <span className={styles.soft}>free</span>
      </li>
    );
  const title = <bdi>{visibleText(holder.title)}</bdi>;
  const owner = holder.owner.email ?? holder.owner.codehost_login ?? holder.owner.id;
  return (
    <li className={rows.row}>
      {label}
      <span className={rows.grow}>
        {isOwn ? (
          <Link to="/issues/$id" params={{ id: holder.issue_id }}>
            {title}
          </Link>
        ) : (
          title
        )}
        <span className={rows.line}>
          {isOwn ? 'yours' : <bdi>{visibleText(owner)}</bdi>}
          {holder.worker_id !== null && holder.stage !== null && `, ${stageWords[holder.stage]}`}
          {host !== undefined && `, on ${visibleText(host)}`}
          {holder.since !== null && (
            <>
              , for <Elapsed since={holder.since} />
            </>
          )}
        </span>
      </span>
      {retired && <Badge title="The number of slots was lowered. This one goes when its issue ends.">retired</Badge>}
      <Badge tone={holder.worker_id === null ? 'neutral' : 'accent'}>{statusWords[holder.status]}</Badge>
    </li>
  );
}
