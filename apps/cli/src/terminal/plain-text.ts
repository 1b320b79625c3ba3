const COLOUR = /\x1b\[[0-9;:]*m/g;
// Controls but line feed and tab; what turns, joins or hides text, but the joiners that scripts and emoji need; and
// the two separators that some terminals take for line feeds.
const UNSEEN = /[^\P{Cc}\n\t]|[^\P{Cf}\u200c\u200d]|[\u2028\u2029]/gu;

/**
 * Text from a repository or an issue, made safe for a terminal: a hostile file can neither redraw what the person
 * decides on nor hide a part of it. Colours go; every other control character becomes a visible sign in its place,
 * with all that stood around it, so a link's address and a title's text can be read.
 */
export function plainText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(COLOUR, '').replace(UNSEEN, visibleSign);
}

/** The same on one line, for where a line break would let text pass for a line of ours. */
export function plainLine(text: string): string {
  return plainText(text).trim().replace(/\s+/g, ' ');
}

/** Unicode has a picture for each of the old controls (␛, ␇, ␍); the others share the replacement character. */
function visibleSign(control: string): string {
  const code = control.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\ufffd';
}
