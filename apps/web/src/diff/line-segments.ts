import type { Span } from './word-marks.ts';

/** A part of a line that is drawn in one way. */
export interface Segment {
  readonly text: string;
  /** The number of its token's group; null for plain text. */
  readonly token: number | null;
  /** It differs from the other version of the line. */
  readonly isMarked: boolean;
  /** The index of the match of the search that it belongs to; null for none. */
  readonly match: number | null;
}

interface Layers {
  /** Start, end and group of each token, one after the other. */
  readonly tokens?: Int32Array | undefined;
  readonly marks?: readonly Span[] | undefined;
  readonly matches?: readonly Span[] | undefined;
}

const noTokens = new Int32Array();

/** Cuts a line where a token, a mark or a match begins or ends. The spans of each layer are in order and do not overlap. */
export function lineSegments(text: string, { tokens = noTokens, marks = [], matches = [] }: Layers): Segment[] {
  const cuts = new Set([0, text.length, ...tokens.filter((_, i) => i % 3 !== 2)]);
  for (const { start, end } of [...marks, ...matches]) cuts.add(start).add(end);
  const places = [...cuts].filter((place) => place <= text.length).sort((a, b) => a - b);
  const tokenAt = walker(tokens.length / 3, (i) => ({ start: tokens[3 * i] ?? 0, end: tokens[3 * i + 1] ?? 0 }));
  const markAt = walker(marks.length, (i) => marks[i]);
  const matchAt = walker(matches.length, (i) => matches[i]);
  return places.slice(0, -1).map((start, i) => {
    const token = tokenAt(start);
    return {
      text: text.slice(start, places[i + 1]),
      token: token === null ? null : (tokens[3 * token + 2] ?? null),
      isMarked: markAt(start) !== null,
      match: matchAt(start),
    };
  });
}

/** Which span is at a place, for places in rising order. */
function walker(count: number, spanAt: (index: number) => Span | undefined): (place: number) => number | null {
  let at = 0;
  return (place) => {
    while (at < count && (spanAt(at)?.end ?? 0) <= place) at += 1;
    return at < count && (spanAt(at)?.start ?? 0) <= place ? at : null;
  };
}
