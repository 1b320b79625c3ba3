import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { searchPattern } from '../format/search-pattern.ts';
import type { ChangedFile } from './changed-files.ts';
import type { DiffLine } from './parse-patch.ts';
import type { Span } from './word-marks.ts';

/** The matches in one line. */
export interface LineMatches {
  readonly spans: readonly Span[];
  /** The number of the first of them among all matches. */
  readonly first: number;
}

/** A search in the lines of a change. It follows the typing when the page has time for it. */
export function useDiffSearch(files: readonly ChangedFile[], asked: string) {
  const [query, setQuery] = useState(asked);
  useEffect(() => setQuery(asked), [asked]);
  const [current, setCurrent] = useState<number | null>(null);
  const searched = useDeferredValue(query);
  const found = useMemo(() => findInDiff(files, searched), [files, searched]);
  const byLine = useMemo(() => {
    const lines = new Map<DiffLine, { spans: Span[]; first: number }>();
    for (const [i, match] of found.matches.entries()) {
      const known = lines.get(match.line);
      if (known === undefined) lines.set(match.line, { spans: [match], first: i });
      else known.spans.push(match);
    }
    return lines as ReadonlyMap<DiffLine, LineMatches>;
  }, [found]);
  return {
    query,
    searched,
    ...found,
    byLine,
    current,
    setCurrent,
    setQuery(next: string) {
      setQuery(next);
      setCurrent(null);
    },
  };
}

interface DiffMatch extends Span {
  /** The index of the file. */
  readonly file: number;
  readonly line: DiffLine;
}

interface DiffMatches {
  readonly matches: readonly DiffMatch[];
  /** Whether there are more hits than are listed. */
  readonly isCut: boolean;
}

const MAX_MATCHES = 10_000; // more than a person steps through

/** Where a text occurs in the lines of a change, in their order. */
export function findInDiff(files: readonly ChangedFile[], query: string): DiffMatches {
  const matches: DiffMatch[] = [];
  const pattern = searchPattern(query);
  if (pattern === null) return { matches, isCut: false };
  for (const [file, { patch }] of files.entries())
    for (const { lines } of patch?.hunks ?? [])
      for (const line of lines)
        for (const found of line.text.matchAll(pattern)) {
          if (matches.length === MAX_MATCHES) return { matches, isCut: true };
          matches.push({ file, line, start: found.index, end: found.index + found[0].length });
        }
  return { matches, isCut: false };
}
