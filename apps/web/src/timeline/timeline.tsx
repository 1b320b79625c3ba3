import type { Issue } from '@sluice/client';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useIssueFeed } from '../events/use-issue-feed.ts';
import { counted } from '../format/amounts.ts';
import { searchPattern } from '../format/search-pattern.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Announcer } from './announcer.tsx';
import { LivePanel } from './live-panel.tsx';
import { RowActionsContext } from './row-actions.ts';
import { createRowLayout, type TimelineFilter, type TimelineView } from './row-layout.ts';
import styles from './timeline.module.css';
import { TimelineList } from './timeline-list.tsx';
import { TimelineToolbar } from './timeline-toolbar.tsx';
import { useEventSearch } from './use-event-search.ts';
import { useTimelineFold } from './use-timeline-fold.ts';

interface TimelineProps {
  readonly issue: Issue;
  /** The number of the event to open and to scroll to. */
  readonly event?: number | undefined;
}

/** What happened to an issue, stage by stage, as it happens. */
export function Timeline({ issue, event }: TimelineProps) {
  const feed = useIssueFeed(issue);
  const fold = useTimelineFold(feed);
  const [filter, setFilter] = useState<TimelineFilter>('all');
  const [query, setQuery] = useState('');
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [openEntries, setOpenEntries] = useState<ReadonlySet<number>>(new Set());
  const searched = useDeferredValue(query.trim());
  const pattern = useMemo(() => searchPattern(searched), [searched]);
  const found = useEventSearch(fold, feed, pattern);
  const shownEntries = useDeferredValue(openEntries);
  const [layOut] = useState(createRowLayout);
  // Thousands of rows are laid out again: the press of the button is shown before that.
  const view = useDeferredValue(useMemo<TimelineView>(() => ({ open, filter, found }), [open, filter, found]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the fold grows in place; the feed tells that it did
  const layout = useMemo(() => layOut(fold.items, view), [layOut, fold, view, feed]);
  const actions = useMemo(
    () => ({
      issueId: issue.id,
      pattern,
      toggle: (seq: number, isStage: boolean) => (isStage ? setOpen : setOpenEntries)((before) => toggled(before, seq)),
    }),
    [issue.id, pattern],
  );
  const isThere = event !== undefined && (feed.events[feed.count - 1]?.seq ?? 0) >= event;
  const target = isThere ? fold.locate(event) : null;
  useEffect(() => {
    if (!isThere) return;
    const { item: at, entry } = fold.locate(event);
    setFilter('all');
    setQuery('');
    const item = fold.items[at];
    if (item?.kind === 'stage') setOpen((before) => new Set(before).add(item.seq));
    if (entry !== null) setOpenEntries((before) => new Set(before).add(entry));
  }, [event, isThere, fold]);
  const stages = fold.items.filter((item) => item.kind === 'stage');
  const isAllOpen = stages.every(({ seq }) => open.has(seq));
  return (
    <section className={styles.timeline} aria-label="Activity">
      <TimelineToolbar
        filter={filter}
        onFilter={setFilter}
        query={query}
        onQuery={setQuery}
        found={found?.size ?? null}
        openAll={
          stages.length === 0
            ? undefined
            : {
                isOpen: isAllOpen,
                onToggle: () => setOpen(new Set(isAllOpen ? [] : stages.map(({ seq }) => seq))),
              }
        }
      />
      {feed.error != null && <ErrorNotice error={feed.error} onRetry={feed.retry} />}
      <RowActionsContext value={actions}>
        <TimelineList
          layout={layout}
          openEntries={shownEntries}
          events={feed.count}
          isLoading={feed.phase === 'loading'}
          target={target}
        />
      </RowActionsContext>
      {layout.count === 0 && feed.phase !== 'loading' && (
        <EmptyState
          title="Nothing matches"
          action={
            <Button
              onClick={() => {
                setFilter('all');
                setQuery('');
              }}
            >
              Show everything
            </Button>
          }
        >
          <p>None of the {counted(feed.count, 'event')} so far is of this kind or has this text.</p>
        </EmptyState>
      )}
      {feed.phase === 'loading' && feed.error == null && (
        <p role="status" className={styles.loading}>
          Loading the history… {feed.count > 0 && counted(feed.count, 'event')}
        </p>
      )}
      <LivePanel live={feed.live} />
      <Announcer feed={feed} />
    </section>
  );
}

function toggled(set: ReadonlySet<number>, member: number): ReadonlySet<number> {
  const next = new Set(set);
  if (!next.delete(member)) next.add(member);
  return next;
}
