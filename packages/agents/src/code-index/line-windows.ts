export interface LineWindow {
  /** From 1, inclusive at both ends. */
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
}

const WINDOW_LINES = 60;
const OVERLAP_LINES = 10; // so that what stands on a border is found whole in one of the two

/** Cuts a text into windows of lines that overlap. An empty text has none. */
export function lineWindows(text: string): LineWindow[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  const windows: LineWindow[] = [];
  for (let start = 0; start < lines.length; start += WINDOW_LINES - OVERLAP_LINES) {
    const end = Math.min(start + WINDOW_LINES, lines.length);
    windows.push({ startLine: start + 1, endLine: end, text: lines.slice(start, end).join('\n') });
    if (end === lines.length) break;
  }
  return windows;
}
