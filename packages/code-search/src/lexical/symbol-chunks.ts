import type { CodeSymbol } from '@sluice/core/code-search';
import type { CodeChunk } from './code-chunk.ts';
import { lineWindows, WINDOW_LINES } from './line-windows.ts';

/** Up to here neighbours are put together: a chunk of a line or two says too little to be ranked by. Fifteen finds less. */
const SMALL_LINES = 8;

/** Lines directly above a symbol that belong to it: comments, decorators, attributes. */
const LEAD_IN = /^\s*(\/\/|\/\*|\*|#|@|\[|--|<!--)/;

/** A symbol with what it holds and its name as seen from the file's top. */
interface SymbolNode extends CodeSymbol {
  readonly path: string;
  readonly members: SymbolNode[];
}

/** Lines, from 1 and inclusive, with the symbols that are whole in them and the one around them. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly holds: readonly SymbolNode[];
  readonly owner: SymbolNode | null;
}

/**
 * Cuts a file at its symbols: each is one chunk with the comment above it, small neighbours together, a long one at its
 * members or else in windows of lines. What stands between symbols is cut too: every line that is not blank is in a chunk.
 */
export function symbolChunks(lines: readonly string[], symbols: readonly CodeSymbol[]): CodeChunk[] {
  const whole = { from: 1, to: lines.length, owner: null };
  return joined(pieces(whole, nested(symbols), lines), lines).flatMap((piece) => cut(piece, lines));
}

/** Puts symbols, which stand in order, into those that hold them. */
function nested(symbols: readonly CodeSymbol[]): SymbolNode[] {
  const top: SymbolNode[] = [];
  const open: SymbolNode[] = [];
  for (const symbol of symbols) {
    open.length = Math.min(open.length, symbol.depth);
    const owner = open.at(-1);
    const node = { ...symbol, path: owner ? `${owner.path}.${symbol.name}` : symbol.name, members: [] };
    (owner?.members ?? top).push(node);
    open.push(node);
  }
  return top;
}

function pieces(
  { from, to, owner }: { from: number; to: number; owner: SymbolNode | null },
  symbols: readonly SymbolNode[],
  lines: readonly string[],
): Piece[] {
  const found: Piece[] = [];
  let next = from;
  for (const symbol of symbols) {
    const end = Math.min(symbol.endLine, to);
    const last = found.at(-1);
    if (end < next) {
      // Several symbols on one line: the line belongs to the first.
      if (last) found[found.length - 1] = { ...last, holds: [...last.holds, symbol] };
      continue;
    }
    const start = leadIn(Math.max(symbol.startLine, next), next, lines);
    if (start > next) found.push({ from: next, to: start - 1, holds: [], owner });
    const isLong = end - start >= WINDOW_LINES && symbol.members.length > 0;
    if (isLong) found.push(...pieces({ from: start, to: end, owner: symbol }, symbol.members, lines));
    else found.push({ from: start, to: end, holds: [symbol], owner });
    next = end + 1;
  }
  if (next <= to) found.push({ from: next, to, holds: [], owner });
  return found;
}

function leadIn(start: number, lowest: number, lines: readonly string[]): number {
  let at = start;
  while (at > lowest && LEAD_IN.test(lines[at - 2] ?? '')) at -= 1;
  return at;
}

/** Puts small neighbours with the same owner together and leaves blank pieces out. */
function joined(found: readonly Piece[], lines: readonly string[]): Piece[] {
  const kept: Piece[] = [];
  for (const piece of found) {
    if (isBlank(piece, lines)) continue;
    const last = kept.at(-1);
    if (last && last.owner === piece.owner && piece.to - last.from < SMALL_LINES) {
      kept[kept.length - 1] = { ...last, to: piece.to, holds: [...last.holds, ...piece.holds] };
    } else kept.push(piece);
  }
  return kept;
}

function isBlank({ from, to }: Piece, lines: readonly string[]): boolean {
  return lines.slice(from - 1, to).every((line) => line.trim() === '');
}

function cut({ from, to, holds, owner }: Piece, lines: readonly string[]): CodeChunk[] {
  const longest = holds.reduce<SymbolNode | null>((best, one) => (best && size(best) >= size(one) ? best : one), null);
  const names = holds.length > 0 ? holds.flatMap(allNames) : owner ? [owner.path] : [];
  return lineWindows({
    startLine: from,
    lines: lines.slice(from - 1, to),
    symbol: (longest ?? owner)?.path ?? null,
    names: names.join('\n'),
  });
}

function size({ startLine, endLine }: SymbolNode): number {
  return endLine - startLine;
}

function allNames(symbol: SymbolNode): string[] {
  return [symbol.path, ...symbol.members.flatMap(allNames)];
}
