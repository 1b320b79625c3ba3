import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useCommand } from '../commands/use-command.ts';
import { counted } from '../format/amounts.ts';
import { Button } from '../ui/button.tsx';
import { CopyLinks } from './copy-links.tsx';
import type { RowLayout } from './row-layout.ts';
import styles from './timeline.module.css';
import { TimelineRowView } from './timeline-row.tsx';

const ROW_HEIGHT = 36; // most rows are one line
const END_PX = 48; // so near the end, a reader follows it

interface TimelineListProps {
  readonly layout: RowLayout;
  readonly openEntries: ReadonlySet<number>;
  /** How many events there are, to tell how many are new. */
  readonly events: number;
  readonly isLoading: boolean;
  /** The row to scroll to and to mark. */
  readonly target: { readonly item: number; readonly entry: number | null } | null;
}

/** The rows that are in view, of however many. It follows the end while the reader is there. */
export function TimelineList({ layout, openEntries, events, isLoading, target }: TimelineListProps) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useRef(layout);
  rows.current = layout;
  const [active, setActive] = useState<number | null>(null);
  const activeIndex = active === null ? 0 : Math.max(0, layout.indexOfKey(active));
  const kept = useRef(activeIndex);
  kept.current = activeIndex;
  const virtual = useVirtualizer({
    count: layout.count,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: useCallback((index: number) => rows.current.key(index), []),
    // The row with the focus stays in the page, wherever one scrolls.
    rangeExtractor: useCallback(
      (range: Range) => withIndex(defaultRangeExtractor(range), kept.current, range.count),
      [],
    ),
    overscan: 6,
    anchorTo: 'end',
    // While the history loads, the row that the address names is not the end, however near it is to what is there.
    followOnAppend: !(isLoading && target !== null),
    scrollEndThreshold: END_PX,
    useFlushSync: false,
  });
  const { isAtEnd, unseen, onScroll } = useUnseen(events, isLoading, () => virtual.isAtEnd(END_PX));

  const targetIndex = target === null ? -1 : layout.indexOf(target.item, target.entry);
  const targetKey = targetIndex < 0 ? null : layout.key(targetIndex);
  const hasBegun = useRef(false);
  useLayoutEffect(() => {
    if (targetKey !== null) {
      setActive(targetKey);
      virtual.scrollToIndex(rows.current.indexOfKey(targetKey), { align: 'center' });
    } else if (!hasBegun.current) virtual.scrollToEnd(); // where the history is there already, nothing is appended to follow
    hasBegun.current = true;
  }, [targetKey, virtual]);

  const focusWanted = useRef(false);
  const move = (index: number) => {
    const bounded = Math.max(0, Math.min(layout.count - 1, index));
    focusWanted.current = true;
    setActive(layout.key(bounded));
    virtual.scrollToIndex(bounded, { align: 'auto' });
  };
  useEffect(() => {
    if (!focusWanted.current) return;
    const control = box.current?.querySelector(`[data-index="${activeIndex}"] [data-primary]`);
    if (!(control instanceof HTMLElement)) return; // a row far away is drawn once it is scrolled to
    focusWanted.current = false;
    control.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: 'nearest' }); // it may lie below the window
  });
  const step = (by: number) => move(box.current?.contains(document.activeElement) ? activeIndex + by : activeIndex);
  useCommand({ id: 'timeline.next', label: 'Next row', group: 'Activity', keys: 'j', run: () => step(1) });
  useCommand({ id: 'timeline.previous', label: 'Previous row', group: 'Activity', keys: 'k', run: () => step(-1) });

  const onKeyDown = (event: React.KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || event.target.closest('[data-primary]') === null) return;
    const to = { ArrowDown: activeIndex + 1, ArrowUp: activeIndex - 1, Home: 0, End: layout.count - 1 }[event.key];
    const isOpen = event.target.getAttribute('aria-expanded');
    if (to !== undefined) move(to);
    else if ((event.key === 'ArrowRight' && isOpen === 'false') || (event.key === 'ArrowLeft' && isOpen === 'true'))
      event.target.click();
    else return;
    event.preventDefault();
  };

  return (
    <div className={styles.frame}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys move the focus between the controls inside */}
      <div ref={box} className={styles.box} onScroll={onScroll} onKeyDown={onKeyDown}>
        <ul className={styles.rows} style={{ height: virtual.getTotalSize() }} aria-busy={isLoading}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const row = layout.row(index);
            return (
              <li
                key={key}
                ref={virtual.measureElement}
                aria-setsize={layout.count}
                aria-posinset={index + 1}
                data-index={index}
                data-marked={row.key === targetKey ? '' : undefined}
                className={row.entry === null ? styles.row : styles.inner}
                style={{ transform: `translateY(${start}px)` }}
                onFocus={() => setActive(row.key)}
              >
                <TimelineRowView
                  item={row.item}
                  entry={row.entry}
                  isOpen={row.entry === null ? row.isOpen : openEntries.has(row.entry.seq)}
                  isActive={index === activeIndex}
                />
              </li>
            );
          })}
        </ul>
      </div>
      <CopyLinks box={box} />
      {!isAtEnd && unseen > 0 && (
        <Button tone="primary" className={styles.unseen} onClick={() => virtual.scrollToEnd()}>
          {counted(unseen, 'new event')}
        </Button>
      )}
    </div>
  );
}

function withIndex(indexes: number[], index: number, count: number): number[] {
  if (index >= count || indexes.includes(index)) return indexes;
  return index < (indexes[0] ?? 0) ? [index, ...indexes] : [...indexes, index];
}

/** How many events came since the reader left the end. */
function useUnseen(events: number, isLoading: boolean, isNearEnd: () => boolean) {
  const [isAtEnd, setAtEnd] = useState(true);
  const [{ seen, wasLoading }, setBefore] = useState({ seen: events, wasLoading: isLoading });
  // The history is not new, its last page included.
  if ((isAtEnd || wasLoading) && (seen !== events || wasLoading !== isLoading))
    setBefore({ seen: events, wasLoading: isLoading });
  return { isAtEnd, unseen: events - seen, onScroll: () => setAtEnd(isNearEnd()) };
}
