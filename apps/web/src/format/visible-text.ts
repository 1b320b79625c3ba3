/**
 * Control characters but tab and newline, and characters that are invisible or change the order of the text around them:
 * marks of direction, spaces and joiners without width, fillers, selectors of variants but the emoji's, tags.
 */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]|\u034f/gu;

/** Text as a person should see it: every invisible or reordering character by its number, `⟨U+202E⟩`. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (char) => `⟨U+${codeOf(char)}⟩`);
}

function codeOf(char: string): string {
  return (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}

/** A name in one line: a tab or a line break in it is shown by its number too. */
export function visibleName(name: string): string {
  return visibleText(name).replaceAll('\t', '⟨U+0009⟩').replaceAll('\n', '⟨U+000A⟩');
}
