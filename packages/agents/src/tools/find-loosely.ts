/** An exact place for a replacement whose old text was nearly right. */
export interface LoosePlace {
  readonly kind: 'found';
  /** The offset in characters at which the replaced piece begins; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  /** The new text, with the file's indentation and line endings. */
  readonly replacement: string;
  /** What the old text had wrong, as part of a sentence. */
  readonly slip: string;
}

/** More than one place fits; the lines on which they begin, from 1. */
export interface SeveralPlaces {
  readonly kind: 'several';
  readonly lines: readonly number[];
}

interface Wanted {
  readonly from: string;
  readonly to: string;
}

/**
 * Finds the one place that an old text can only mean: with line numbers before its lines, typographic quotes, other
 * spaces at the ends of lines, another indentation of the whole piece, tabs for spaces, other line endings, or a line
 * break that the file lacks at its end. Null where no place fits.
 */
export function findLoosely(text: string, wanted: Wanted): LoosePlace | SeveralPlaces | null {
  const place = findLines(text, wanted);
  // Whoever copies line numbers copies whole lines.
  if (place !== null || withoutLineNumbers(text, wanted) !== null) return place;
  const plain = withPlainQuotes(text, wanted);
  return plain === null ? null : exactPlaces(text, plain);
}

/** The same for an old text of whole lines, which fits no part of a line. */
export function findLines(text: string, wanted: Wanted): LoosePlace | SeveralPlaces | null {
  const unnumbered = withoutLineNumbers(text, wanted);
  const plain = withPlainQuotes(text, unnumbered ?? wanted);
  const used = plain ?? unnumbered ?? wanted;
  return placesOfLines(text, used, [
    ...(unnumbered === null ? [] : ['line numbers']),
    ...(plain === null ? [] : [QUOTED]),
  ]);
}

/** Removes the line numbers of read_file, each with a tab. A file whose own lines begin so keeps them. */
function withoutLineNumbers(text: string, { from, to }: Wanted): Wanted | null {
  if (/^ *\d+\t/m.test(text)) return null;
  const lines = from.replace(/\n$/, '').split('\n');
  const numbers = lines.map((line) => /^\s*(\d+)(?:\t|$)/.exec(line)?.[1]);
  const first = Number(numbers[0]);
  if (numbers.some((number, index) => Number(number) !== first + index)) return null;
  const [anyNumber, withTab] = [/^ *\d+(?:\t|$)/gm, /^ *\d+\t/gm];
  // A number alone on a line stands for an empty one only where all lines have numbers: else it is text.
  const isNumbered = to.split('\n').every((line) => line === '' || /^ *\d+(?:\t|$)/.test(line));
  return { from: from.replaceAll(anyNumber, ''), to: to.replaceAll(isNumbered ? anyNumber : withTab, '') };
}

const QUOTED = 'typographic quotes';
const QUOTES: Readonly<Record<string, string>> = { '‘': "'", '’': "'", '“': '"', '”': '"' };

/** Where the file has none of those quotes, they are the model's. */
function withPlainQuotes(text: string, { from, to }: Wanted): Wanted | null {
  if (!/[‘’“”]/.test(from) || /[‘’“”]/.test(text)) return null;
  const plain = (part: string) => part.replaceAll(/[‘’“”]/g, (quote) => QUOTES[quote] ?? quote);
  return { from: plain(from), to: plain(to) };
}

function exactPlaces(text: string, { from, to }: Wanted): LoosePlace | SeveralPlaces | null {
  const starts: number[] = [];
  for (let at = text.indexOf(from); at >= 0 && from !== ''; at = text.indexOf(from, at + 1)) starts.push(at);
  const [start] = starts;
  if (start === undefined) return null;
  if (starts.length > 1) return { kind: 'several', lines: starts.map((at) => text.slice(0, at).split('\n').length) };
  return { kind: 'found', start, end: start + from.length, replacement: to, slip: QUOTED };
}

/** A way to read the indentation of the old text as that of the file. */
interface Reading {
  readonly of: (indent: string) => string;
  /** Whether the piece as a whole may also stand further in or out. */
  readonly mayShift: boolean;
  readonly slip: string;
}

const READINGS: readonly Reading[] = [
  { of: (indent) => indent, mayShift: true, slip: 'indentation' },
  ...[4, 2, 8].flatMap((width): Reading[] => [
    { of: (indent) => indent.replaceAll(' '.repeat(width), '\t'), mayShift: false, slip: 'spaces for tabs' },
    { of: (indent) => indent.replaceAll('\t', ' '.repeat(width)), mayShift: false, slip: 'tabs for spaces' },
  ]),
];

/** Whole lines that are the same but for their ends, and for one indentation that all of them lack or have too much. */
function placesOfLines(text: string, wanted: Wanted, slips: readonly string[]): LoosePlace | SeveralPlaces | null {
  const wantedLines = wanted.from.replace(/\r?\n$/, '').split('\n');
  if (wantedLines.every((line) => line.trim() === '')) return null;
  const lines = text.split('\n');
  const found = new Map<number, Place>();
  for (const reading of READINGS) {
    for (let at = 0; at + wantedLines.length <= lines.length; at += 1) {
      if (found.has(at)) continue;
      const shift = shiftOf(lines.slice(at, at + wantedLines.length), wantedLines, reading);
      if (shift !== null) found.set(at, { at, shift, reading });
    }
  }
  const places = [...found.values()].sort((a, b) => a.at - b.at);
  const [place] = places;
  if (place === undefined) return null;
  const starts = [...places.map(({ at }) => at), ...exactElsewhere(lines, wantedLines, place.at)];
  if (starts.length > 1) return { kind: 'several', lines: starts.sort((a, b) => a - b).map((at) => at + 1) };
  return atPlace({ lines, count: wantedLines.length, wanted, slips }, place);
}

/**
 * The lines at which the old text stands exactly but for blank lines around it. Then the place that fits with them is
 * not certain: the blank lines may be what is wrong.
 */
function exactElsewhere(lines: readonly string[], wanted: readonly string[], place: number): number[] {
  const hasText = (line: string) => line.trim() !== '';
  const bare = wanted.slice(wanted.findIndex(hasText), wanted.findLastIndex(hasText) + 1);
  if (bare.length === wanted.length) return [];
  const withoutReturn = (line: string | undefined) => line?.replace(/\r$/, '');
  return [...lines.keys()].filter(
    (at) =>
      (at < place || at >= place + wanted.length) &&
      bare.every((line, index) => withoutReturn(line) === withoutReturn(lines[at + index])),
  );
}

interface Place {
  /** The first line, from 0. */
  readonly at: number;
  readonly shift: Shift;
  readonly reading: Reading;
}

/** The text before each line of the file and not of the old text, or the other way round. */
interface Shift {
  readonly missing: string;
  readonly surplus: string;
}

function shiftOf(lines: readonly string[], wanted: readonly string[], reading: Reading): Shift | null {
  let shift: Shift | null = null;
  for (const [index, line] of lines.entries()) {
    const [indent, rest] = partsOf(line);
    const [given, wantedRest] = partsOf(wanted[index] ?? '');
    if (rest !== wantedRest) return null;
    if (rest === '') continue;
    const own = reading.of(given);
    const missing = indent.endsWith(own) ? indent.slice(0, indent.length - own.length) : '';
    const surplus = own.endsWith(indent) ? own.slice(0, own.length - indent.length) : '';
    if (missing + own !== surplus + indent) return null;
    shift ??= { missing, surplus };
    if (shift.missing !== missing || shift.surplus !== surplus) return null;
  }
  return shift === null || reading.mayShift || shift.missing + shift.surplus === '' ? shift : null;
}

/** The indentation of a line, and the rest without what stands at its end. */
function partsOf(line: string): readonly [indent: string, rest: string] {
  const rest = line.trim();
  return rest === '' ? ['', ''] : [line.slice(0, line.length - line.trimStart().length), rest];
}

interface Piece {
  readonly lines: readonly string[];
  readonly count: number;
  readonly wanted: Wanted;
  readonly slips: readonly string[];
}

function atPlace({ lines, count, wanted, slips }: Piece, { at, shift, reading }: Place): LoosePlace | null {
  const replaced = lines.slice(at, at + count);
  const start = lines.slice(0, at).reduce((sum, line) => sum + line.length + 1, 0);
  const own = replaced.join('\n');
  const isWhole = wanted.from.endsWith('\n');
  const isLast = at + count === lines.length;
  const indented = withIndentation(isWhole && isLast ? wanted.to.replace(/\r?\n$/, '') : wanted.to, { shift, reading });
  if (indented === null) return null;
  const ending = replaced.slice(0, isLast ? -1 : undefined).every((line) => line.endsWith('\r')) && /\r/.test(own);
  const unix = indented.replaceAll('\r\n', '\n');
  // The carriage return of the last line stays outside where the old text had no line break at its end.
  const keepsReturn = !isWhole && own.endsWith('\r');
  const isShifted = shift.missing + shift.surplus !== '';
  const isExact = own.startsWith(wanted.from.replace(/\n$/, ''));
  const slip = isShifted || !reading.mayShift ? [reading.slip] : isExact ? [] : ['the ends of lines'];
  return {
    kind: 'found',
    start,
    end: start + own.length + (isWhole && !isLast ? 1 : 0) - (keepsReturn ? 1 : 0),
    replacement: ending ? unix.replaceAll('\n', '\r\n') : indented,
    slip: [...slips, ...slip].join(' and '),
  };
}

/** The new text as far in as the file has the old one; null where it cannot be moved so far out. */
function withIndentation(to: string, { shift, reading }: Pick<Place, 'shift' | 'reading'>): string | null {
  const moved = to.split('\n').map((line) => {
    const [given] = partsOf(line);
    if (line.trim() === '') return line;
    const indent = reading.of(given);
    if (!indent.startsWith(shift.surplus)) return null;
    return shift.missing + indent.slice(shift.surplus.length) + line.slice(given.length);
  });
  return moved.includes(null) ? null : moved.join('\n');
}
