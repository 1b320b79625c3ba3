/**
 * Characters that people do not see or that change the order of the text around them: control characters but tab and newline,
 * marks of direction, spaces without width, fillers, selectors, and tags, which can hide whole sentences. The emoji's selector
 * is let through. A line break of Windows is shown too.
 */
const HIDDEN = /[^\P{Cc}\n\t]|[\p{Cf}\p{Cs}\u2028\u2029]|(?!\ufe0f)\p{Default_Ignorable_Code_Point}/gu;

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
