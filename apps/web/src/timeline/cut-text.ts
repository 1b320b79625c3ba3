/** The start of a text, cut where a line or a word ends. The text itself when it is short. */
export function cutText(text: string, { characters, lines }: { characters: number; lines: number }): string {
  let end = -1;
  for (let line = 0; line < lines; line += 1) {
    end = text.indexOf('\n', end + 1);
    if (end < 0) break;
  }
  if (end >= 0 && end <= characters) return text.slice(0, end);
  if (text.length <= characters) return text;
  const cut = text.slice(0, characters);
  const space = Math.max(cut.lastIndexOf(' '), cut.lastIndexOf('\n'));
  return cut.slice(0, space > characters / 2 ? space : characters).toWellFormed();
}
