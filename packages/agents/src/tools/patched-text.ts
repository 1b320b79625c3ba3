import { refusal } from './agent-tool.ts';
import { findLines } from './find-loosely.ts';
import { nearMisses } from './near-misses.ts';
import type { Hunk } from './parse-patch.ts';

const MAX_NAMED = 10; // places in a refusal
const MORE_LINES = 'Give more lines around it, or an anchor after @@.';

/**
 * A text after all hunks, each at the one place that fits it: after the hunk before it and below its anchors.
 *
 * @throws AppError `tool_refused` for the first hunk that fits no place, or several
 */
export function patchedText(path: string, text: string, hunks: readonly Hunk[]): string {
  const isCrlf = text.includes('\r\n') && !/(?<!\r)\n/.test(text);
  const isEnded = text === '' || text.endsWith('\n');
  let lines = text === '' ? [] : (isCrlf ? text.replaceAll('\r\n', '\n') : text).replace(/\n$/, '').split('\n');
  let position = 0;
  for (const [index, hunk] of hunks.entries()) {
    const at = { path, number: index + 1, position };
    const place = placeOf(lines, hunk, at);
    lines = [...lines.slice(0, place.start), ...place.lines, ...lines.slice(place.end)];
    position = place.start + place.lines.length;
  }
  const patched = lines.length === 0 ? '' : lines.join('\n') + (isEnded ? '\n' : '');
  return isCrlf ? patched.replaceAll('\n', '\r\n') : patched;
}

interface HunkPlace {
  /** Lines that are replaced, from 0; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

interface HunkContext {
  readonly path: string;
  /** From 1. */
  readonly number: number;
  /** The first line after the hunk before. */
  readonly position: number;
}

function placeOf(lines: readonly string[], hunk: Hunk, context: HunkContext): HunkPlace {
  const { path, number } = context;
  const { anchors, from } = hunk;
  const below = anchors.reduce(
    (line, anchor) => lineAfter(lines, anchor, { ...context, position: line }),
    context.position,
  );
  const bare = withoutBlankEnd(hunk);
  if (bare.from.length === 0) {
    if (anchors.length === 0 && lines.length > 0)
      throw refusal(`Hunk ${number} of ${path} has no line of the file: give some around it.`);
    return { start: below, end: below, lines: bare.to };
  }
  // Some models repeat the anchor as the first line of the hunk.
  const at = { ...context, position: anchors.length > 0 ? below - 1 : below };
  const place =
    placeOfLines(lines, hunk, at) ?? (bare.from.length < from.length ? placeOfLines(lines, bare, at) : null);
  if (place !== null) return place;
  const near = nearMisses(linesToText(lines), from.join('\n'));
  throw refusal(`Hunk ${number} of ${path} fits nowhere: its lines are not there.${near}`);
}

/** Without the blank lines at its end, which may stand there only to set the next part of the patch off. */
function withoutBlankEnd({ anchors, from, to }: Hunk): Hunk {
  let count = 0;
  while (from.at(-1 - count) === '' && to.at(-1 - count) === '') count += 1;
  return { anchors, from: from.slice(0, from.length - count), to: to.slice(0, to.length - count) };
}

/** Where the lines of a hunk stand; null: nowhere. */
function placeOfLines(lines: readonly string[], hunk: Hunk, context: HunkContext): HunkPlace | null {
  const { anchors, from, to } = hunk;
  const { path, number, position } = context;
  const following = startsOf(lines, from, position);
  // Hunks may come in another order than their places.
  const starts = following.length > 0 || anchors.length > 0 ? following : startsOf(lines, from, 0);
  const [start] = starts;
  // Below an anchor the first place is meant; without one there must be only one.
  if (start !== undefined && (starts.length === 1 || anchors.length > 0))
    return { start, end: start + from.length, lines: to };
  if (start !== undefined) {
    throw refusal(`Hunk ${number} of ${path} fits at lines ${named(starts.map((line) => line + 1))}. ${MORE_LINES}`);
  }
  return loosePlace(lines, hunk, context);
}

/** The one place of whole lines that a hunk fits but for a slip, such as its spaces; null: there is none. */
function loosePlace(
  lines: readonly string[],
  { from, to }: Hunk,
  { path, number, position }: HunkContext,
): HunkPlace | null {
  const rest = linesToText(lines.slice(position));
  const loose = findLines(rest, { from: linesToText(from), to: linesToText(to) });
  if (loose === null) return null;
  if (loose.kind === 'several') {
    const starts = loose.lines.map((line) => position + line);
    throw refusal(
      `Hunk ${number} of ${path} fits nowhere exactly, and nearly at lines ${named(starts)}. ${MORE_LINES}`,
    );
  }
  const replacement = loose.replacement === '' ? [] : loose.replacement.replace(/\n$/, '').split('\n');
  const start = position + rest.slice(0, loose.start).split('\n').length - 1;
  return { start, end: start + from.length, lines: replacement };
}

function linesToText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** The line after an anchor: after the first line that is the same, or after the only one of which it is a part. */
function lineAfter(lines: readonly string[], anchor: string, { path, number, position }: HunkContext): number {
  const trimmed = anchor.trim();
  const after = (fits: (line: string) => boolean) =>
    lines.flatMap((line, index) => (index >= position && fits(line) ? [index + 1] : []));
  const [whole] = [...after((line) => line === anchor), ...after((line) => line.trim() === trimmed)];
  if (whole !== undefined) return whole;
  const [part, ...others] = after((line) => hasPart(line, trimmed));
  if (part === undefined)
    throw refusal(`Hunk ${number} of ${path}: there is no line "${anchor}" where it is looked for.`);
  if (others.length > 0) {
    const places = `"${anchor}" is a part of lines ${named([part, ...others])}`;
    throw refusal(`Hunk ${number} of ${path}: ${places}. Give the whole line after @@.`);
  }
  return part;
}

/** Whether a line has a part that begins and ends between words: `class A` is no part of `class AB`. */
function hasPart(line: string, part: string): boolean {
  const isInWord = (at: number) => at > 0 && /^[\p{L}\p{N}_$]{2}$/u.test(line.slice(at - 1, at + 1));
  for (let at = line.indexOf(part); at >= 0; at = line.indexOf(part, at + 1)) {
    if (!isInWord(at) && !isInWord(at + part.length)) return true;
  }
  return false;
}

function named(lines: readonly number[]): string {
  return lines.slice(0, MAX_NAMED).join(', ');
}

function startsOf(lines: readonly string[], from: readonly string[], position: number): number[] {
  const starts: number[] = [];
  for (let at = position; at + from.length <= lines.length; at += 1) {
    if (from.every((line, index) => line === lines[at + index])) starts.push(at);
  }
  return starts;
}
