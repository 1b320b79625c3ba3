import { useEffect, useState } from 'react';
import { pause } from '../browser/pause.ts';
import { inSlices } from '../browser/time-slices.ts';
import { useLatest } from '../browser/use-latest.ts';
import type { LogBook } from './log-book.ts';
import { type LogHit, searchLog } from './log-search.ts';

const AGAIN_MS = 700; // a log that grows is searched again, not all the time

/** The lines that a pattern finds, in the whole log; null: nothing is searched for. Goes on while the log grows. */
export function useLogSearch(book: LogBook, revision: number, pattern: RegExp | null): readonly LogHit[] | null {
  const [hits, setHits] = useState<readonly LogHit[] | null>(null);
  const latest = useLatest(revision);
  useEffect(() => {
    if (pattern === null) return setHits(null);
    const end = new AbortController();
    void searchOn(pattern, end.signal);
    return () => end.abort();

    async function searchOn(expression: RegExp, signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        const searched = latest.current();
        const found: LogHit[] = [];
        await inSlices(searchLog(book.sections, expression, found), signal);
        if (signal.aborted) return;
        setHits(found);
        await pause(AGAIN_MS, signal);
        if (latest.current() === searched) await latest.next(signal);
      }
    }
  }, [book, latest, pattern]);
  return hits;
}
