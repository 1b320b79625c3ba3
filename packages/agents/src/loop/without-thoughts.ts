const BEGIN = /^\s*<think(?:ing)?>/;
const END = /<\/think(?:ing)?>/;

/**
 * An answer without the thoughts that a server of one's own leaves before it when nobody told it how its model thinks.
 * Of some only the end is there, on a line of its own, because the server's template began them.
 */
export function withoutThoughts(text: string): string {
  const end = END.exec(text);
  const begun = BEGIN.test(text);
  if (end === null) return begun ? '' : text;
  const [before, after] = [text.slice(0, end.index), text.slice(end.index + end[0].length)];
  const isOwnLine = before.slice(before.lastIndexOf('\n') + 1).trim() === '' && /^[ \t]*(?:\r?\n|$)/.test(after);
  return begun || isOwnLine ? after.trimStart() : text;
}
