import { useEffect, useState } from 'react';
import type { FeedState } from '../events/issue-feed.ts';
import { inSlices } from '../events/time-slices.ts';
import { useLatest } from '../events/use-latest.ts';
import { createEventSearch, type EventSearch } from './event-search.ts';
import type { TimelineFold } from './fold-events.ts';

interface SearchResult {
  /** What was found; null: nothing is searched for. Another object whenever more was found. */
  readonly found: ReadonlySet<number> | null;
  readonly isSearching: boolean;
}

const nothing: SearchResult = { found: null, isSearching: false };

/** Searches the events in slices, and those that come later as they come. */
export function useEventSearch(fold: TimelineFold, feed: FeedState, pattern: RegExp | null): SearchResult {
  const [result, setResult] = useState(nothing);
  const latest = useLatest(feed);
  useEffect(() => {
    if (pattern === null) return setResult(nothing);
    const end = new AbortController();
    const search = createEventSearch(pattern, fold.ownerOf);
    void searchOn(search, end.signal);
    return () => end.abort();

    async function searchOn({ read, found }: EventSearch, signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        const { events, count } = latest.current();
        await inSlices(read(events, count), signal);
        if (signal.aborted) return;
        setResult((before) =>
          before.found?.size === found.size && !before.isSearching
            ? before
            : { found: new Set(found), isSearching: false },
        );
        if (latest.current().count === count) await latest.next(signal);
      }
    }
  }, [fold, latest, pattern]);
  return result;
}
