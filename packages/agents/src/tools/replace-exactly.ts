const MAX_CHARACTERS = 1_048_576; // what a workspace writes; "replace every e by a page" must end in words, not in a dead process

export type ExactReplacement =
  | { readonly kind: 'replaced'; readonly text: string; readonly count: number }
  | { readonly kind: 'absent' }
  /** More than once, where once was meant; the lines on which they begin, from 1. */
  | { readonly kind: 'repeated'; readonly count: number; readonly lines: readonly number[] }
  | { readonly kind: 'too_large' };

/** Replaces exact text: once, and then it must be there only once, or everywhere. */
export function replaceExactly(
  text: string,
  { from, to, all }: { from: string; to: string; all: boolean },
): ExactReplacement {
  const pieces = text.split(from);
  const count = pieces.length - 1;
  if (count === 0) return { kind: 'absent' };
  if (count > 1 && !all) return { kind: 'repeated', count, lines: startLines(pieces, from) };
  if (text.length + count * (to.length - from.length) > MAX_CHARACTERS) return { kind: 'too_large' };
  return { kind: 'replaced', text: pieces.join(to), count };
}

function startLines(pieces: readonly string[], separator: string): number[] {
  const newlinesIn = (text: string) => text.split('\n').length - 1;
  const lines: number[] = [];
  let line = 1;
  for (const piece of pieces.slice(0, -1)) {
    line += newlinesIn(piece);
    lines.push(line);
    line += newlinesIn(separator);
  }
  return lines;
}
