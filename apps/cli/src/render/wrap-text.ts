import { displayWidth } from '../terminal/display-width.ts';

/**
 * Wraps prose at spaces to at most `width` columns a line, and aligns the continuation of an indented line with its start.
 * A longer word is not broken, so that a path or a command can be copied. Not for text that must be read exactly, such as
 * an edit.
 */
export function wrapText(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, width))
    .join('\n');
}

function wrapLine(line: string, width: number): string {
  if (displayWidth(line) <= width) return line;
  const margin = /^ */.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let room = 0;
  for (const word of line.slice(margin.length).split(' ')) {
    const columns = displayWidth(word);
    if (lines.length === 0 || columns + 1 > room) {
      lines.push(`${margin}${word}`);
      room = width - margin.length - columns;
    } else {
      lines[lines.length - 1] += ` ${word}`;
      room -= columns + 1;
    }
  }
  return lines.join('\n');
}
