import { memo } from 'react';
import { EntryRow } from './entry-row.tsx';
import { PauseRow } from './pause-row.tsx';
import { IsActiveRow } from './row-actions.ts';
import { StageRow } from './stage-row.tsx';
import type { Entry, TimelineItem } from './timeline-item.ts';

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
