import { plainText } from '../terminal/plain-text.ts';
import type { Style } from '../terminal/style.ts';
import { hangText } from './hang-text.ts';

const BULLET = '   - ';

/** Renders a titled list of sentences, wrapped to `width`. An empty list renders as an empty string. */
export function renderList(list: { title: string; items: readonly string[] }, style: Style, width: number): string {
  if (list.items.length === 0) return '';
  const items = list.items.map((item) => {
    return `${BULLET}${hangText(plainText(item), BULLET.length, width)}`;
  });
  return [style('bold', list.title), ...items].join('\n');
}
