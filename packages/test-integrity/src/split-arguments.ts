/** The arguments of a call, up to its closing bracket. A comma in a text or in a bracket separates nothing. */
export function splitArguments(args: string): string[] {
  return splitOutside(args, /,/);
}

/** The parts between the separators that stand in no text and in no bracket, up to a bracket that was not opened. */
export function splitOutside(text: string, separator: RegExp): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  const pieces = new RegExp(`${QUOTED}|[()[\\]{}]|(?<separator>${separator.source})`, 'g');
  for (const { index, 0: piece, groups } of text.matchAll(pieces)) {
    if ('([{'.includes(piece)) depth += 1;
    else if (')]}'.includes(piece)) depth -= 1;
    if (depth < 0) return [...parts, text.slice(from, index)];
    if (depth === 0 && groups?.separator !== undefined) {
      parts.push(text.slice(from, index));
      from = index + piece.length;
    }
  }
  return [...parts, text.slice(from)];
}

const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/.source;

/** The text between round brackets that hold all of it; null where there are none. */
export function withoutBrackets(text: string): string | null {
  const inner = /^\s*\(([\s\S]*)\)\s*$/.exec(text)?.[1];
  if (inner === undefined) return null;
  let depth = 0;
  for (const [piece] of inner.matchAll(BRACKETS)) {
    if (piece === '(') depth += 1;
    else if (piece === ')') depth -= 1;
    if (depth < 0) return null;
  }
  return inner;
}

const BRACKETS = new RegExp(`${QUOTED}|[()]`, 'g');
