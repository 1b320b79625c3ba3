/**
 * Terminal control sequences, in their 7-bit (`ESC [`) and 8-bit (`U+009B`) forms: CSI; strings of OSC, DCS, SOS, PM and
 * APC with their terminator; and the short escapes. Of one that is not complete only the introducer matches, so that an
 * unterminated string hides nothing that follows it.
 *
 * Linear: adjacent classes share no character, and a string's content ends before the next introducer, so no character is
 * looked at from more than one start. `util.stripVTControlCharacters` is quadratic in unterminated strings.
 */
const CONTROL_SEQUENCE =
  /(?:\x1b\[|\x9b)(?:[0-?]*[ -/]*[@-~])?|(?:\x1b[P\]X^_]|[\x90\x98\x9d-\x9f])(?:[^\x07\x1b\x80-\x9f\r\n]*(?:\x07|\x1b\\|\x9c))?|\x1b(?:[ -/]*[0-~])?/g;

/** The text as a terminal would print it, without colours, links and titles. */
export function withoutControlSequences(text: string): string {
  return text.replace(CONTROL_SEQUENCE, '');
}
