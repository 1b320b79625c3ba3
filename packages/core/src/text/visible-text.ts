/**
 * Characters that people do not see and programs act on: control characters, direction marks, zero-width joiners and
 * spaces, fillers, selectors and tags, which can hide whole sentences. The emoji selector is exempt.
 */
const UNSEEN = /[^\P{Cc}\n\t]|[\p{Cf}\p{Cs}\u2028\u2029]|(?!\ufe0f)\p{Default_Ignorable_Code_Point}/gu;

/** Replaces each unseen character, and each lone surrogate, with its code point: `[U+202E]`. Keeps line feeds and tabs. */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(UNSEEN, codePoint);
}

/** The same as one line. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll(/\s+/g, ' ').trim();
}

/** The name of a file on one line: a line break, a tab or a second space is part of it, and is not taken for one space. */
export function visiblePath(path: string): string {
  return visibleText(path.replaceAll(/[\r\n\t]/g, codePoint));
}

function codePoint(found: string): string {
  return `[U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;
}

/** Shortens a text to `limit` characters, with an ellipsis. Never splits a character. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = /[\uD800-\uDBFF]/.test(text[limit - 2] ?? '') ? limit - 2 : limit - 1;
  return `${text.slice(0, end)}…`;
}

/** A text that forges no second line: paths and reasons stand in lists of one a line. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, '?');
}
