/** Models write line feeds; a file that has only CRLF is matched, and stays, with CRLF. */
export function inLineEndingsOf(text: string, [from, to]: readonly [string, string]): readonly [string, string] {
  if (text.includes(from) || !text.includes('\r\n') || /(?<!\r)\n/.test(text)) return [from, to];
  return [from.replaceAll(/\r?\n/g, '\r\n'), to.replaceAll(/\r?\n/g, '\r\n')];
}
