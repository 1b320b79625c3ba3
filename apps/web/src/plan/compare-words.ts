import { commonWords } from '../format/common-words.ts';

/** A piece of a text that was compared with an earlier one. */
export interface ComparedPiece {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

const MAX_CELLS = 1_000_000; // longer texts are shown as replaced: marks on single words would not help

/** What became of a text, word by word. */
export function compareWords(before: string, after: string): readonly ComparedPiece[] {
  const pieces: ComparedPiece[] = [];
  if (before === after) return append(pieces, 'same', after);
  const [old, young] = [wordsOf(before), wordsOf(after)];
  if (old.length * young.length > MAX_CELLS) return append(append(pieces, 'removed', before), 'added', after);
  const kept = commonWords(old, young);
  for (let at = 0, now = 0; at < old.length || now < young.length; ) {
    if (at < old.length && !kept.before.has(at)) append(pieces, 'removed', old[at++] ?? '');
    else if (now < young.length && !kept.after.has(now)) append(pieces, 'added', young[now++] ?? '');
    else {
      append(pieces, 'same', old[at++] ?? '');
      now += 1;
    }
  }
  return pieces;
}

/** Words with the spaces after them, so that the pieces put together are the text. */
function wordsOf(text: string): readonly string[] {
  return text.match(/\s*\S+\s*?(?=\s|$)|\s+/g) ?? [];
}

function append(pieces: ComparedPiece[], kind: ComparedPiece['kind'], text: string): ComparedPiece[] {
  const last = pieces.at(-1);
  if (text === '') return pieces;
  if (last?.kind === kind) pieces[pieces.length - 1] = { kind, text: last.text + text };
  else pieces.push({ kind, text });
  return pieces;
}
