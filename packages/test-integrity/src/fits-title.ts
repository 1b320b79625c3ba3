/** What stands in a title for a value. */
export const PLACEHOLDER = /%[sdifjoOpc#]|\$\{[^}]*\}|\$[\w.]+|#\{[^}]*\}/;
const PLACEHOLDERS = new RegExp(PLACEHOLDER, 'g');

/** Whether a part of a test's name is a title, whatever stands for its placeholders. Takes time linear in the length of both. */
export function fitsTitle(part: string, title: string): boolean {
  const [first = '', ...others] = title.split(PLACEHOLDERS);
  const last = others.pop();
  if (last === undefined) return part === first;
  if (!part.startsWith(first) || !part.endsWith(last)) return false;
  let at = first.length;
  for (const piece of others) {
    const found = part.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at + last.length <= part.length;
}
