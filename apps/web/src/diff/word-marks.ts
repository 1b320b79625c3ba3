import { commonWords } from '../format/common-words.ts';

/** A part of a line, by its offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface WordMarks {
  readonly old: readonly Span[];
  readonly new: readonly Span[];
}

const MAX_WORDS = 200; // the comparison takes the square of it; a longer line is read as a whole anyway
const MIN_SIMILARITY = 0.35; // below, the lines have little to do with each other, and marks would cover nearly all of both

const none: WordMarks = { old: [], new: [] };

/** Which words of two versions of a line differ. Nothing where the lines are too long, or too different to be two versions. */
export function wordMarks(oldText: string, newText: string): WordMarks {
  const before = words(oldText);
  const after = words(newText);
  if (before.length > MAX_WORDS || after.length > MAX_WORDS) return none;
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const kept = commonWords(before.slice(head, before.length - tail), after.slice(head, after.length - tail));
  const oldKept = before.map((_, i) => i < head || i >= before.length - tail || kept.before.has(i - head));
  const newKept = after.map((_, i) => i < head || i >= after.length - tail || kept.after.has(i - head));
  if (alike(before, oldKept) < MIN_SIMILARITY && alike(after, newKept) < MIN_SIMILARITY) return none;
  return { old: spans(before, oldKept), new: spans(after, newKept) };
}

function words(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

/** The share of a line's visible characters that both versions have. */
function alike(all: readonly string[], kept: readonly boolean[]): number {
  let whole = 0;
  let common = 0;
  all.forEach((word, i) => {
    if (word.trim() === '') return;
    whole += word.length;
    if (kept[i]) common += word.length;
  });
  return whole === 0 ? 1 : common / whole;
}

/** The words that are not kept, with what stands between two of them when that is only space. */
function spans(all: readonly string[], kept: readonly boolean[]): Span[] {
  const found: { start: number; end: number }[] = [];
  let offset = 0;
  all.forEach((word, i) => {
    const last = found.at(-1);
    const isBridge = kept[i] && word.trim() === '' && last?.end === offset && kept[i + 1] === false;
    if (kept[i] === false || isBridge) {
      if (last?.end === offset) last.end += word.length;
      else found.push({ start: offset, end: offset + word.length });
    }
    offset += word.length;
  });
  return found;
}
