/** A text that forges no second line: paths and reasons stand in lists of one a line. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, '?');
}
