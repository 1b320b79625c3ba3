import { searchPattern } from '../format/search-pattern.ts';
import type { ChangedFile } from './changed-files.ts';
import type { DiffLine } from './parse-patch.ts';
import type { Span } from './word-marks.ts';

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

const MOST = 10_000; // more than a person steps through

/** Where a text occurs in the lines of a change, in their order. */
export function findInDiff(files: readonly ChangedFile[], query: string): DiffMatches {
  const matches: DiffMatch[] = [];
  const pattern = searchPattern(query);
  if (pattern === null) return { matches, isCut: false };
  for (const [file, { patch }] of files.entries())
    for (const { lines } of patch?.hunks ?? [])
      for (const line of lines)
        for (const found of line.text.matchAll(pattern)) {
          if (matches.length === MOST) return { matches, isCut: true };
          matches.push({ file, line, start: found.index, end: found.index + found[0].length });
        }
  return { matches, isCut: false };
}
