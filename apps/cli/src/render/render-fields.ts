import { displayWidth } from '../terminal/display-width.ts';
import { hangText } from './hang-text.ts';
import type { View } from './view.ts';

/** Renders labelled values in two columns; the values are wrapped. Fields without a value are left out. */
export function renderFields(
  fields: readonly (readonly [label: string, value: string | null])[],
  { style, width }: Pick<View, 'style' | 'width'>,
): string {
  const given = fields.filter((field): field is readonly [string, string] => field[1] !== null && field[1] !== '');
  const column = Math.max(0, ...given.map(([label]) => displayWidth(label))) + 2;
  return given
    .map(([label, value]) => {
      const padding = ' '.repeat(column - displayWidth(label));
      return `${style('bold', label)}${padding}${hangText(value, column, width)}`;
    })
    .join('\n');
}
