import { memo } from 'react';
import { formatDuration } from '../format/duration.ts';
import { formatExact } from '../format/relative-time.ts';
import { Elapsed } from '../ui/time.tsx';
import { CommandEntry } from './command-entry.tsx';
import type { EntryProps } from './entry-props.ts';
import { FilesEntry } from './files-entry.tsx';
import { Mark } from './mark.tsx';
import { MessageEntry } from './message-entry.tsx';
import { IsActiveRow } from './row-actions.ts';
import { RowFrame } from './row-frame.tsx';
import { StageRow } from './stage-row.tsx';
import { StoryEntry } from './story-entry.tsx';
import type { Entry, Pause, TimelineItem } from './timeline-item.ts';
import styles from './timeline-row.module.css';
import { ToolEntry } from './tool-entry.tsx';

interface TimelineRowViewProps {
  readonly item: TimelineItem;
  /** Null: the row is the item's own. */
  readonly entry: Entry | null;
  readonly isOpen: boolean;
  readonly isActive: boolean;
}

/** A row by what it shows. It is drawn again only when that changes: a stage that grows leaves its entries alone. */
export const TimelineRowView = memo(Row, (before, after) => {
  const isSameItem = before.item === after.item || (after.entry !== null && before.item.seq === after.item.seq);
  return (
    isSameItem && before.entry === after.entry && before.isOpen === after.isOpen && before.isActive === after.isActive
  );
});

function Row({ item, entry, isOpen, isActive }: TimelineRowViewProps) {
  return (
    <IsActiveRow value={isActive}>
      <Content item={item} entry={entry} isOpen={isOpen} />
    </IsActiveRow>
  );
}

function Content({ item, entry, isOpen }: Omit<TimelineRowViewProps, 'isActive'>) {
  if (entry !== null)
    return <EntryRow entry={entry} since={item.kind === 'stage' ? item.at : undefined} isOpen={isOpen} />;
  if (item.kind === 'stage') return <StageRow run={item} isOpen={isOpen} />;
  if (item.kind === 'pause') return <PauseRow pause={item} />;
  return <EntryRow entry={item.entry} isOpen={isOpen} />;
}

/** An entry by its kind. */
function EntryRow({ entry, since, isOpen }: EntryProps) {
  switch (entry.kind) {
    case 'message':
      return <MessageEntry entry={entry} since={since} isOpen={isOpen} />;
    case 'tool':
      return <ToolEntry entry={entry} since={since} isOpen={isOpen} />;
    case 'command':
      return <CommandEntry entry={entry} since={since} isOpen={isOpen} />;
    case 'files':
      return <FilesEntry entry={entry} since={since} isOpen={isOpen} />;
    default:
      return <StoryEntry entry={entry} since={since} />;
  }
}

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
function PauseRow({ pause: { seq, at, until, why } }: { readonly pause: Pause }) {
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
