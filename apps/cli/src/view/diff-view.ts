import { plainText, type Style } from './style.ts';

/** A unified diff with the usual colours, at most `maxLines` lines; what is left out is said. */
export function renderDiff(diff: string, style: Style, maxLines = 400): string {
  const lines = diff.replace(/\n$/, '').split('\n');
  const shown = lines.slice(0, maxLines).map((line) => colourLine(plainText(line), style));
  const left = lines.length - maxLines;
  if (left > 0) shown.push(style('dim', `… ${left} more lines`));
  return shown.join('\n');
}

function colourLine(line: string, style: Style): string {
  if (/^(diff |index |--- |\+\+\+ |new file|deleted file|rename |similarity )/.test(line)) return style('bold', line);
  if (line.startsWith('@@')) return style('cyan', line);
  if (line.startsWith('+')) return style('green', line);
  if (line.startsWith('-')) return style('red', line);
  return line;
}
