import { useEffect, useState } from 'react';
import { inSlices } from '../browser/time-slices.ts';
import { useLatest } from '../browser/use-latest.ts';
import type { FeedState } from '../events/issue-feed.ts';
import { createEventSearch, type EventSearch } from './event-search.ts';
import type { TimelineFold } from './fold-events.ts';

/**
 * Searches the events in slices, and those that come later as they come.
 *
 * @returns what was found, another object whenever more was; null: nothing is searched for
 */
export function useEventSearch(fold: TimelineFold, feed: FeedState, pattern: RegExp | null) {
  const [result, setResult] = useState<ReadonlySet<number> | null>(null);
  const latest = useLatest(feed);
  useEffect(() => {
    if (pattern === null) return setResult(null);
    const end = new AbortController();
    const search = createEventSearch(pattern, fold.ownerOf);
    void searchOn(search, end.signal);
    return () => end.abort();

    async function searchOn({ read, found }: EventSearch, signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        const { events, count } = latest.current();
        await inSlices(read(events, count), signal);
        if (signal.aborted) return;
        setResult((before) => (before?.size === found.size ? before : new Set(found)));
        if (latest.current().count === count) await latest.next(signal);
      }
    }
  }, [fold, latest, pattern]);
  return result;
}
