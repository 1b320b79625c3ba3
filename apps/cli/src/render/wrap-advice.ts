import { displayWidth } from '../terminal/display-width.ts';
import { ownCommand } from '../terminal/environment.ts';
import { wrapText } from './wrap-text.ts';

/**
 * Wraps a message to `width`, and keeps a command in one piece, so that it can be copied: the only call of `sluice` in a
 * sentence that ends with it gets a line of its own where the sentence does not fit. Indented lines stay as they are.
 */
export function wrapAdvice(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => (line.startsWith(' ') || displayWidth(line) <= width ? line : wrapLine(line, width)))
    .join('\n');
}

function wrapLine(line: string, width: number): string {
  const mark = `: ${ownCommand()} `;
  const at = line.indexOf(mark);
  if (at === -1 || line.includes(ownCommand(), at + mark.length)) return wrapText(line, width);
  return `${wrapText(line.slice(0, at + 1), width)}\n  ${line.slice(at + 2)}`;
}
