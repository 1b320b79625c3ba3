import type { TextMatches } from '@sluice/core/workspace';

type MatchLine = TextMatches['lines'][number];

export interface MatchBounds {
  /** Matching lines at most. */
  readonly limit: number;
  readonly context: number;
  isWanted(path: string): boolean;
}

export interface MatchCollector {
  /** Takes a line of ripgrep's `--json`, null for one that was not kept. @returns whether more is wanted */
  take(line: Buffer | null): boolean;
  result(isCut: boolean): TextMatches;
}

/** Text as ripgrep tells it: in base64 where it is not UTF-8. */
type RipgrepText = { readonly text: string } | { readonly bytes: string };

type RipgrepLine =
  | { readonly type: 'begin' | 'summary' }
  | { readonly type: 'end'; readonly data: { readonly binary_offset: number | null } }
  | {
      readonly type: 'match' | 'context';
      readonly data: {
        readonly path: RipgrepText;
        readonly lines: RipgrepText;
        readonly line_number: number;
        readonly submatches: readonly { readonly start: number }[];
      };
    };

const MAX_TEXT_LENGTH = 500; // what is longer was made by a program; the whole line can be read from the file

/** Gathers what is wanted of ripgrep's answer, file by file: only at its end is it known whether a file was binary. */
export function collectMatches(bounds: MatchBounds): MatchCollector {
  const lines: MatchLine[] = [];
  let open: MatchLine[] = [];
  let matches = 0;
  let isTruncated = false;
  const takeLine = (event: Extract<RipgrepLine, { data: { path: RipgrepText } }>): boolean => {
    const path = textOf(event.data.path).toString('utf8').replace(/^\.\//, '');
    if (!bounds.isWanted(path)) return true;
    const isMatch = event.type === 'match';
    const line = event.data.line_number;
    const last = open.findLast((one) => one.isMatch)?.line;
    if (matches === bounds.limit) {
      if (isMatch) isTruncated = true;
      // What comes next belongs to a match that is left out, but for the lines after the last one.
      if (isMatch || last === undefined || line > last + bounds.context) return !isTruncated;
    }
    if (isMatch) matches += 1;
    open.push({ path, line, text: shown(textOf(event.data.lines), event.data.submatches[0]?.start ?? 0), isMatch });
    return true;
  };
  return {
    take(line) {
      if (line === null) {
        isTruncated = true;
        return true;
      }
      const event = JSON.parse(line.toString('utf8')) as RipgrepLine;
      if (event.type === 'match' || event.type === 'context') return takeLine(event);
      if (event.type === 'end') {
        if (event.data.binary_offset === null) lines.push(...open);
        else matches -= open.filter(({ isMatch }) => isMatch).length;
        open = [];
      }
      return true;
    },
    result: (isCut) => ({ lines: [...lines, ...open], truncated: isTruncated || isCut }),
  };
}

function textOf(event: RipgrepText): Buffer {
  return 'text' in event ? Buffer.from(event.text) : Buffer.from(event.bytes, 'base64');
}

/** A line without its end, cut to the part around the first match. @param start of that match, in bytes */
function shown(line: Buffer, start: number): string {
  const text = line.toString('utf8').replace(/\r?\n$/, '');
  if (text.length <= MAX_TEXT_LENGTH) return text;
  const at = line.subarray(0, start).toString('utf8').length;
  const from = at < MAX_TEXT_LENGTH / 2 ? 0 : Math.min(at - MAX_TEXT_LENGTH / 4, text.length - MAX_TEXT_LENGTH);
  const to = from + MAX_TEXT_LENGTH;
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
}
