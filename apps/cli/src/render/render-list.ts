import { plainText } from '../terminal/plain-text.ts';
import type { Style } from '../terminal/style.ts';
import { wrapText } from './wrap-text.ts';

const BULLET = '   - ';

/** Renders a titled list of sentences, wrapped to `width`. An empty list renders as an empty string. */
export function renderList(list: { title: string; items: readonly string[] }, style: Style, width: number): string {
  if (list.items.length === 0) return '';
  const items = list.items.map((item) => {
    const wrapped = wrapText(plainText(item), width - BULLET.length);
    return `${BULLET}${wrapped.replaceAll('\n', `\n${' '.repeat(BULLET.length)}`)}`;
  });
  return [style('bold', list.title), ...items].join('\n');
}
