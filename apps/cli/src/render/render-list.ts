import { plainText } from '../terminal/plain-text.ts';
import type { Style } from '../terminal/style.ts';
import { wrapText } from './wrap-text.ts';

const BULLET = '   - ';

/** A titled list of sentences in lines of at most `width` characters; nothing when it is empty. */
export function renderList(list: { title: string; items: readonly string[] }, style: Style, width: number): string {
  if (list.items.length === 0) return '';
  const items = list.items.map((item) => {
    const wrapped = wrapText(plainText(item), width - BULLET.length);
    return `${BULLET}${wrapped.replaceAll('\n', `\n${' '.repeat(BULLET.length)}`)}`;
  });
  return [style('bold', list.title), ...items].join('\n');
}
