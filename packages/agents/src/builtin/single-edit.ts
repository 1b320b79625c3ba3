import type { PlannedCall } from './planned-call.ts';

const MAX_OLD_TEXT = 20_000; // beyond it the edit is no easier to follow than the file

/**
 * The call that takes a file from one text to the next: whole lines, with as many around them as make the old ones
 * unique. Where that takes too many, the whole file is written.
 */
export function singleEdit(path: string, before: string, after: string): PlannedCall {
  const from = linesOf(before);
  const to = linesOf(after);
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start += 1;
  let tail = 0;
  while (tail < Math.min(from.length, to.length) - start && from.at(-1 - tail) === to.at(-1 - tail)) tail += 1;

  let old = from.slice(start, from.length - tail).join('');
  // More lines each time, twice as many as before: one by one is minutes in a long file of equal lines.
  for (let more = 1; old.length <= MAX_OLD_TEXT && !occursOnce(before, old) && (start > 0 || tail > 0); more *= 2) {
    start = Math.max(0, start - more);
    tail = Math.max(0, tail - more);
    old = from.slice(start, from.length - tail).join('');
  }
  if (old === '' || old.length > MAX_OLD_TEXT) {
    return { tool: 'write_file', path, input: { path, content: after }, before, after };
  }
  const input = { path, old_text: old, new_text: to.slice(start, to.length - tail).join('') };
  return { tool: 'edit_file', path, input, before, after };
}

/** Lines with their ends, so that a last line without one stays as it is. */
function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}

function occursOnce(text: string, part: string): boolean {
  return part !== '' && text.indexOf(part) === text.lastIndexOf(part);
}
