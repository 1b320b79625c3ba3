import type { CodeChunk } from './code-chunk.ts';

export const WINDOW_LINES = 60;
const OVERLAP_LINES = 10; // so that what stands on a border is found whole in one of the two

/** A part of a file that is to be cut: its lines, and what is known of all of them. */
interface LineRange extends Pick<CodeChunk, 'symbol' | 'names'> {
  readonly startLine: number;
  readonly lines: readonly string[];
}

/** The lines of a text, without an empty last one. */
export function textLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Cuts lines into windows that overlap. No lines have none. */
export function lineWindows({ startLine, lines, symbol, names }: LineRange): CodeChunk[] {
  const windows: CodeChunk[] = [];
  for (let start = 0; start < lines.length; start += WINDOW_LINES - OVERLAP_LINES) {
    const end = Math.min(start + WINDOW_LINES, lines.length);
    const text = lines.slice(start, end).join('\n');
    windows.push({ startLine: startLine + start, endLine: startLine + end - 1, text, symbol, names });
    if (end === lines.length) break;
  }
  return windows;
}
