import { lastAtMost } from '../browser/last-at-most.ts';
import { createLineGaps, type LeftOut, type LineGaps } from './line-gaps.ts';

/**
 * The output of a command, by lines. Text is kept in large pieces with the places where lines begin, not line by line. What
 * was left out has an empty line in its place.
 */
export interface LineStore {
  /** How many lines are here; the last one may be unfinished. */
  readonly count: number;
  /** How many lines were written, with those that were left out. */
  readonly written: number;
  readonly gaps: Pick<LineGaps, 'at' | 'number' | 'row'>;
  append(stream: 'stdout' | 'stderr', text: string): void;
  /** Goes on behind output that was not kept. */
  skip(leftOut: LeftOut): void;
  /** A line without its end. */
  line(index: number): string;
  /** Whether any of the line was written to stderr. */
  isError(index: number): boolean;
  /** All text in pieces of whole lines, each with the number of its first line. */
  pieces(): Iterable<{ readonly first: number; readonly text: string }>;
}

interface Piece {
  readonly first: number;
  text: string;
}

const PIECE_CHARACTERS = 64 * 1_024;

export function createLineStore(): LineStore {
  const pieces: Piece[] = [];
  /** The offset of each line in its piece. */
  const starts: number[] = [];
  const errors: boolean[] = [];
  let isMidLine = false;
  const gaps = createLineGaps();

  /** The piece that text is added to. A new one begins with the line that is not finished. */
  function openPiece(): Piece {
    const last = pieces.at(-1);
    if (last !== undefined && last.text.length < PIECE_CHARACTERS) return last;
    const start = isMidLine ? (starts.at(-1) ?? 0) : 0;
    if (last !== undefined && isMidLine && start === 0) return last; // one line as long as the piece
    const piece: Piece = { first: starts.length - (isMidLine ? 1 : 0), text: '' };
    if (last !== undefined && isMidLine) {
      piece.text = last.text.slice(start);
      last.text = last.text.slice(0, start);
      starts[starts.length - 1] = 0;
    }
    pieces.push(piece);
    return piece;
  }

  function append(stream: 'stdout' | 'stderr', text: string): void {
    if (text === '') return;
    const isError = stream === 'stderr';
    const piece = openPiece();
    const offset = piece.text.length;
    const begin = (at: number) => {
      starts.push(offset + at);
      errors.push(isError);
    };
    if (!isMidLine) begin(0);
    else if (isError) errors[errors.length - 1] = true;
    for (let end = text.indexOf('\n'); end >= 0 && end + 1 < text.length; end = text.indexOf('\n', end + 1))
      begin(end + 1);
    piece.text += text;
    isMidLine = !text.endsWith('\n');
  }

  function pieceOf(index: number): Piece | undefined {
    return pieces[lastAtMost(index, { count: pieces.length, at: (place) => pieces[place]?.first ?? 0 })];
  }

  return {
    get count() {
      return starts.length;
    },
    get written() {
      return starts.length === 0 ? 0 : gaps.number(starts.length - 1);
    },
    gaps,
    append,
    skip(leftOut) {
      const wasMidLine = isMidLine;
      append('stdout', wasMidLine ? '\n\n' : '\n');
      gaps.add({ ...leftOut, row: starts.length - 1, isMidLine: wasMidLine });
    },
    line(index) {
      const piece = pieceOf(index);
      if (piece === undefined || index >= starts.length) return '';
      const isLast = index + 1 >= starts.length || pieceOf(index + 1) !== piece;
      const text = piece.text.slice(starts[index], isLast ? piece.text.length : starts[index + 1]);
      return text.replace(/\r?\n$/, '');
    },
    isError: (index) => errors[index] ?? false,
    pieces: () => pieces,
  };
}
