import type { Issue } from '@sluice/client';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import type { FeedState } from '../events/issue-feed.ts';
import type { LiveText } from '../events/live-text.ts';
import { useIssueFeed } from '../events/use-issue-feed.ts';
import { counted } from '../format/amounts.ts';
import { stripAnsi } from '../format/ansi.ts';
import { searchPattern } from '../format/search-pattern.ts';
import { visibleText } from '../format/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import hidden from '../ui/visually-hidden.module.css';
import { announcement } from './announcement.ts';
import { useEventSearch } from './event-search.ts';
import { createTimelineFold, type TimelineFold } from './fold-events.ts';
import { RowActionsContext } from './row-actions.ts';
import { createRowLayout, type TimelineFilter, type TimelineView } from './row-layout.ts';
import styles from './timeline.module.css';
import { TimelineList } from './timeline-list.tsx';
import { TimelineToolbar } from './timeline-toolbar.tsx';

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

/** The events of a feed, folded. Another history, after a restore, is another fold. */
function useTimelineFold({ events, count, history }: FeedState): TimelineFold {
  const [holder] = useState(() => ({ history, fold: createTimelineFold(), taken: 0 }));
  if (holder.history !== history) Object.assign(holder, { history, fold: createTimelineFold(), taken: 0 });
  // Folding in the render keeps it within the frame. It is idempotent: an event is folded once.
  for (; holder.taken < count; holder.taken += 1) {
    const event = events[holder.taken];
    if (event !== undefined) holder.fold.take(event);
  }
  return holder.fold;
}

const LIVE_LINES = 6;

/**
 * The text that is being written, in a box of constant height. It is silent to screen readers: the complete text is an
 * event of the timeline.
 */
function LivePanel({ live: { answer, output } }: { readonly live: LiveText }) {
  if (answer === null && output === null) return null;
  const title = output !== null ? `$ ${visibleText(output.command)}` : `${visibleText(answer?.agent ?? '')} is writing`;
  return (
    <figure className={styles.panel} aria-hidden="true">
      <figcaption className={styles.title}>{title}</figcaption>
      <pre className={styles.text}>{lastLines(output?.text ?? answer?.text ?? '')}</pre>
    </figure>
  );
}

function lastLines(text: string): string {
  const lines = stripAnsi(text).replace(/\r\n?/g, '\n').trimEnd().split('\n');
  return visibleText(lines.slice(-LIVE_LINES).join('\n'));
}

/** Tells a screen reader what arrives, the last of a burst only. The history is read, not told. */
function Announcer({ feed: { events, count, history, phase } }: { readonly feed: FeedState }) {
  const [announcedText, setAnnouncedText] = useState('');
  const announced = useRef({ history, count: 0 });
  const isLoading = phase === 'loading';
  useEffect(() => {
    const from = announced.current.history === history && !isLoading ? announced.current.count : count;
    announced.current = { history, count };
    for (let at = count - 1; at >= from && from > 0; at -= 1) {
      const event = events[at];
      const text = event === undefined ? null : announcement(event);
      if (text !== null) return setAnnouncedText(visibleText(text));
    }
  }, [events, count, history, isLoading]);
  return (
    <p role="status" className={hidden.hidden}>
      {announcedText}
    </p>
  );
}
