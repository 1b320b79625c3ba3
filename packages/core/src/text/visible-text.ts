/**
 * What a reader does not see and a program obeys: control characters, marks that turn the direction of text, joiners and
 * spaces of no width, fillers, selectors and tags, in which whole sentences can be hidden. Only what makes an emoji of a
 * sign stays.
 */
const UNSEEN = /[^\P{Cc}\n\t]|[\p{Cf}\p{Cs}\u2028\u2029]|(?!\ufe0f)\p{Default_Ignorable_Code_Point}/gu;

/** The text with everything unseen in it shown by its code point, `[U+202E]`. Line feeds and tabs stay; no lone surrogate does. */
export function visibleText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(UNSEEN, (found) => `[U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`);
}

/** The same as one line. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll(/\s+/g, ' ').trim();
}

/** At most `limit` characters of a text, and a sign where something was left out. Never half a character. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = /[\uD800-\uDBFF]/.test(text[limit - 2] ?? '') ? limit - 2 : limit - 1;
  return `${text.slice(0, end)}…`;
}
