import type { IssueEvent } from '@sluice/client';
import { useEffect, useState } from 'react';
import { inSlices } from '../browser/time-slices.ts';
import { useLatest } from '../browser/use-latest.ts';
import type { FeedState } from '../events/issue-feed.ts';
import type { TimelineFold } from './fold-events.ts';

/** The text of an event that a reader may search for. */
export function eventText(event: IssueEvent): string {
  switch (event.type) {
    case 'agent.message':
    case 'user.message':
      return event.data.text;
    case 'agent.tool_call':
      return `${event.data.tool} ${textsOf(event.data.input)}`;
    case 'agent.tool_result':
      return event.data.summary;
    case 'command.started':
      return event.data.command;
    case 'command.finished':
      return event.data.text;
    case 'diff.updated':
      return event.data.files.map(({ path }) => path).join('\n');
    case 'issue.created':
      return event.data.issue.title;
    default:
      return textsOf(event.data);
  }
}

/** All texts inside a value, each on its own line. */
function textsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value).map(textsOf).join('\n');
}

/** The events that a pattern finds. It reads on as events come, and never reads one twice. */
interface EventSearch {
  /** The events that were found so far, by the numbers of the rows that show them. */
  readonly found: ReadonlySet<number>;
  /** Reads the events that are new up to `count`, some in each step. */
  read(events: readonly IssueEvent[], count: number): Iterator<unknown>;
}

export function createEventSearch(pattern: RegExp, ownerOf: (seq: number) => number): EventSearch {
  const found = new Set<number>();
  let next = 0;
  return {
    found,
    *read(events, count) {
      for (; next < count; next += 1) {
        const event = events[next];
        if (event !== undefined && eventText(event).search(pattern) >= 0) found.add(ownerOf(event.seq));
        if (next % 20 === 0) yield;
      }
    },
  };
}

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
