const COLOUR = /\x1b\[[0-9;:]*m/g;
// Control characters except line feed and tab; format characters (bidirectional overrides, zero-width) except the two
// joiners that scripts and emoji need; and the two separators that some terminals treat as line feeds.
const INVISIBLE = /[^\P{Cc}\n\t]|[^\P{Cf}\u200c\u200d]|[\u2028\u2029]/gu;

/**
 * Makes text from a repository, an issue, a model or a server safe for a terminal: it can neither redraw the plan
 * that the user decides on nor hide a part of it. Colours are removed; every other control character is replaced by a
 * visible one, and the text around it stays, so that a link's address and a title can still be read.
 */
export function plainText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(COLOUR, '').replace(INVISIBLE, visibleSign);
}

/** The same on one line, where a line break would let foreign text pass for a line of Sluice's own. */
export function plainLine(text: string): string {
  return plainText(text).trim().replace(/\s+/g, ' ');
}

/** A line that a command wrote, in its last state: progress bars return to its start and write it again. */
export function plainOutputLine(line: string): string {
  const text = line.trimEnd();
  return plainText(text.slice(text.lastIndexOf('\r') + 1)).replaceAll('\t', '    ');
}

/** Unicode has a picture for each C0 control (␛, ␇, ␍); the others become the replacement character. */
function visibleSign(control: string): string {
  const code = control.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\ufffd';
}
