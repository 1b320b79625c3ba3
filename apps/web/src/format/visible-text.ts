/** Control characters but tab and newline, and characters that are invisible or change the order of the text around them. */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** Text as a person should see it: every invisible or reordering character by its number, `⟨U+202E⟩`. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (char) => `⟨U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`);
}

/** A name in one line: a tab or a line break in it is shown by its number too. */
export function visibleName(name: string): string {
  return visibleText(name).replaceAll('\t', '⟨U+0009⟩').replaceAll('\n', '⟨U+000A⟩');
}
