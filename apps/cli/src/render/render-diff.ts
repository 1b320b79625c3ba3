import { plainText } from '../terminal/plain-text.ts';
import type { Style } from '../terminal/style.ts';

/** Renders a unified diff in the usual colours, cut after `maxLines` lines with a note of how many are left. */
export function renderDiff(diff: string, style: Style, maxLines = 400): string {
  const lines = diff.replace(/\n$/, '').split('\n');
  const shown = lines.slice(0, maxLines);
  const rendered: string[] = [];
  let inHunk = false;
  for (const line of shown) {
    if (line.startsWith('diff ')) inHunk = false;
    else if (line.startsWith('@@')) inHunk = true;
    rendered.push(colourLine(plainText(line), { inHunk, style }));
  }
  const left = lines.length - shown.length;
  if (left > 0) rendered.push(style('dim', `… ${left} more line${left === 1 ? '' : 's'}`));
  return rendered.join('\n');
}

/** Inside a hunk only the first character counts: a removed `-- comment` looks like a file header. */
function colourLine(line: string, { inHunk, style }: { inHunk: boolean; style: Style }): string {
  if (!inHunk) return style('bold', line);
  if (line.startsWith('@@')) return style('cyan', line);
  if (line.startsWith('+')) return style('green', line);
  if (line.startsWith('-')) return style('red', line);
  return line;
}
