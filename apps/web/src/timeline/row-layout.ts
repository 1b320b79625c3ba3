import { lastAtMost } from '../browser/last-at-most.ts';
import type { Entry, StageRun, TimelineItem } from './timeline-item.ts';

export const timelineFilters = ['all', 'messages', 'commands', 'failures'] as const;
export type TimelineFilter = (typeof timelineFilters)[number];

/** The open stages and the filters of the timeline. */
export interface TimelineView {
  /** The stages that are open, by the number of their first event. */
  readonly open: ReadonlySet<number>;
  readonly filter: TimelineFilter;
  /** The events that the search found; null: nothing is searched for. */
  readonly found: ReadonlySet<number> | null;
}

/** One row: an item, or an entry of the stage above it. */
interface TimelineRow {
  readonly key: number;
  readonly item: TimelineItem;
  readonly entry: Entry | null;
  readonly isOpen: boolean;
}

/** The rows of a view by their places. Nothing is made for a row that is not looked at. */
export interface RowLayout {
  readonly count: number;
  row(index: number): TimelineRow;
  /** The key of a row: the number of its event, negative for a pause, which may begin with an event that has a row. */
  key(index: number): number;
  /** The place of a row by its item and its entry; -1 when it is not shown. */
  indexOf(item: number, entry: number | null): number;
  /** The place of a row by its key; -1 when it is not shown. */
  indexOfKey(key: number): number;
}

/** Lays out rows. What was filtered before is remembered, so that a new event costs only its own stage. */
export function createRowLayout(): (items: readonly TimelineItem[], view: TimelineView) => RowLayout {
  let remembered = new WeakMap<readonly Entry[], { revision: number; size: number; shown: readonly Entry[] }>();
  let last: TimelineView | null = null;

  function filtered(run: StageRun, view: TimelineView): readonly Entry[] {
    const size = view.found?.size ?? 0;
    const known = remembered.get(run.entries);
    if (known?.revision === run.revision && known.size === size) return known.shown;
    const shown = run.entries.filter((entry) => isShown(entry, view));
    remembered.set(run.entries, { revision: run.revision, size, shown });
    return shown;
  }

  function shownEntries(run: StageRun, view: TimelineView): readonly Entry[] {
    if (!isNarrowed(view) && view.open.has(run.seq)) return run.entries;
    return filtered(run, view);
  }

  return (items, view) => {
    if (last === null || last.filter !== view.filter || last.found !== view.found) remembered = new WeakMap();
    last = view;
    const shown: { item: TimelineItem; at: number; start: number; entries: readonly Entry[] }[] = [];
    let count = 0;
    items.forEach((item, at) => {
      const entries = item.kind === 'stage' ? shownEntries(item, view) : [];
      if (entries.length === 0 && !isItemShown(item, view)) return;
      shown.push({ item, at, start: count, entries });
      count += 1 + entries.length;
    });
    const starts = { count: shown.length, at: (place: number) => shown[place]?.start ?? 0 };
    const blockAt = (index: number) => shown[lastAtMost(index, starts)];
    const key = (index: number) => {
      const block = blockAt(index);
      if (block === undefined) return 0;
      const entry = block.entries[index - block.start - 1];
      if (entry !== undefined) return entry.seq;
      return block.item.kind === 'pause' ? -block.item.seq : block.item.seq;
    };
    return {
      count,
      key,
      row(index) {
        const block = blockAt(index);
        if (block === undefined) throw new RangeError(`There is no row ${index}.`);
        const { item, start, entries } = block;
        const entry = entries[index - start - 1] ?? null;
        return { key: key(index), item, entry, isOpen: isNarrowed(view) || view.open.has(item.seq) };
      },
      indexOf(item, entry) {
        const block = shown.find(({ at }) => at === item);
        if (block === undefined) return -1;
        if (entry === null) return block.start;
        const within = block.entries.findIndex(({ seq }) => seq === entry);
        return within < 0 ? -1 : block.start + 1 + within;
      },
      indexOfKey(sought) {
        for (const { item, entries, start } of shown) {
          if (sought === (item.kind === 'pause' ? -item.seq : item.seq)) return start;
          const within = entries.findIndex(({ seq }) => seq === sought);
          if (within >= 0) return start + 1 + within;
        }
        return -1;
      },
    };
  };
}

/** Whether only some entries are wanted. Then every stage that has some is open. */
function isNarrowed({ filter, found }: TimelineView): boolean {
  return filter !== 'all' || found !== null;
}

/** What people wrote, decided and got is seen in a stage that is closed, too. */
const ALWAYS_SHOWN: ReadonlySet<Entry['kind']> = new Set([
  'note',
  'plan',
  'gate',
  'reminder',
  'decision',
  'result',
  'change_request',
  'close',
  'status',
  'created',
]);

function isShown(entry: Entry, view: TimelineView): boolean {
  if (!isNarrowed(view)) return ALWAYS_SHOWN.has(entry.kind);
  return passes(entry, view.filter) && (view.found?.has(entry.seq) ?? true);
}

function isItemShown(item: TimelineItem, view: TimelineView): boolean {
  if (!isNarrowed(view)) return true;
  if (item.kind === 'entry') return isShown(item.entry, view);
  if (item.kind === 'pause') return false;
  return view.found === null ? view.filter === 'failures' && item.outcome === 'failed' : view.found.has(item.seq);
}

function passes(entry: Entry, filter: TimelineFilter): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'messages':
      return entry.kind === 'message' || ALWAYS_SHOWN.has(entry.kind);
    case 'commands':
      return entry.kind === 'command';
    case 'failures':
      return isFailure(entry);
  }
}

/** Whether an entry tells of something that went wrong. */
function isFailure(entry: Entry): boolean {
  switch (entry.kind) {
    case 'tool':
      return entry.result?.ok === false;
    case 'command':
      return entry.end !== null && entry.end.exit_code !== 0;
    case 'status':
      return entry.to === 'failed';
    default:
      return false;
  }
}
