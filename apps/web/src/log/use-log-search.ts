import { useEffect, useState } from 'react';
import { pause } from '../browser/pause.ts';
import { inSlices } from '../browser/time-slices.ts';
import { useLatest } from '../browser/use-latest.ts';
import { stripAnsi } from '../format/ansi.ts';
import type { LogBook, LogSection } from './log-book.ts';

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

/** A line that was found. */
export interface LogHit {
  readonly section: number;
  readonly line: number;
}

/** Finds the lines with a text in the whole log, piece by piece: take steps until it is done. Colours are passed over. */
export function* searchLog(sections: readonly LogSection[], pattern: RegExp, hits: LogHit[]): Generator<void, void> {
  for (const { id: section, lines } of sections) {
    for (const { first, text } of lines.pieces()) {
      const plain = stripAnsi(text);
      let line = first;
      let lineStart = 0;
      for (const { index } of plain.matchAll(pattern)) {
        for (let end = plain.indexOf('\n', lineStart); end >= 0 && end < index; end = plain.indexOf('\n', lineStart)) {
          line += 1;
          lineStart = end + 1;
        }
        const last = hits.at(-1);
        if (last?.section !== section || last.line !== line) hits.push({ section, line });
      }
      yield;
    }
  }
}
