import { wrapText } from './wrap-text.ts';

/** Wraps `text` to `width` columns, and indents every line but the first by `indent` columns. */
export function hangText(text: string, indent: number, width: number): string {
  return wrapText(text, width - indent).replaceAll('\n', `\n${' '.repeat(indent)}`);
}
