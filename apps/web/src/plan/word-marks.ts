/** A piece of a text that was compared with an earlier one. */
export interface MarkedPiece {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

const MOST_CELLS = 1_000_000; // longer texts are shown as replaced: reading them word by word helps nobody

/** What became of a text, word by word. */
export function wordMarks(before: string, after: string): readonly MarkedPiece[] {
  if (before === after) return piece('same', after);
  const [old, young] = [wordsOf(before), wordsOf(after)];
  if (old.length * young.length > MOST_CELLS) return [...piece('removed', before), ...piece('added', after)];
  const common = commonLengths(old, young);
  const pieces: MarkedPiece[] = [];
  let [at, now] = [0, 0];
  while (at < old.length || now < young.length) {
    if (at < old.length && old[at] === young[now]) {
      append(pieces, 'same', old[at++] ?? '');
      now++;
    } else if (
      at < old.length &&
      (now === young.length || lengthAt(common, at + 1, now) >= lengthAt(common, at, now + 1))
    ) {
      append(pieces, 'removed', old[at++] ?? '');
    } else {
      append(pieces, 'added', young[now++] ?? '');
    }
  }
  return pieces;
}

/** Words with the spaces after them, so that the pieces put together are the text. */
function wordsOf(text: string): readonly string[] {
  return text.match(/\s*\S+\s*?(?=\s|$)|\s+/g) ?? [];
}

/** For each pair of positions the length of the longest common rest. */
function commonLengths(old: readonly string[], young: readonly string[]): readonly Uint32Array[] {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint32Array(young.length + 1));
  for (let at = old.length - 1; at >= 0; at--) {
    const row = rows[at] as Uint32Array;
    for (let now = young.length - 1; now >= 0; now--) {
      row[now] =
        old[at] === young[now]
          ? lengthAt(rows, at + 1, now + 1) + 1
          : Math.max(lengthAt(rows, at + 1, now), lengthAt(rows, at, now + 1));
    }
  }
  return rows;
}

function lengthAt(rows: readonly Uint32Array[], at: number, now: number): number {
  return rows[at]?.[now] ?? 0;
}

function append(pieces: MarkedPiece[], kind: MarkedPiece['kind'], text: string): void {
  const last = pieces.at(-1);
  if (last?.kind === kind) pieces[pieces.length - 1] = { kind, text: last.text + text };
  else pieces.push({ kind, text });
}

function piece(kind: MarkedPiece['kind'], text: string): readonly MarkedPiece[] {
  return text === '' ? [] : [{ kind, text }];
}
