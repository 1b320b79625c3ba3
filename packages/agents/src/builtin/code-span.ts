/**
 * The code span at the beginning of `text`: as many backticks as open it close it. The content is exact; only where
 * the padding is needed (content that begins or ends with a backtick) one space on each side is dropped. Two
 * backticks with nothing code-like after them are the empty span, which Markdown lacks and "replace with nothing" needs.
 */
export function readCodeSpan(text: string): { content: string; rest: string } | null {
  const mark = /^`+/.exec(text)?.[0];
  if (mark === undefined) return null;
  const after = text.slice(mark.length);
  const close = after.matchAll(/`+/g).find(([run]) => run.length === mark.length);
  if (close === undefined) return mark === '``' ? { content: '', rest: after } : null;
  return { content: withoutPadding(after.slice(0, close.index)), rest: after.slice(close.index + mark.length) };
}

/** A code span that `readCodeSpan` reads back to the letter. `content` is one line. */
export function writeCodeSpan(content: string): string {
  if (content === '') return '``';
  const runs = new Set([...content.matchAll(/`+/g)].map(([run]) => run.length));
  let length = 1;
  while (runs.has(length)) length += 1;
  const mark = '`'.repeat(length);
  const padding = /^ *`|` *$/.test(content) ? ' ' : '';
  return `${mark}${padding}${content}${padding}${mark}`;
}

function withoutPadding(inside: string): string {
  if (!/^ .* $/.test(inside)) return inside;
  const bare = inside.slice(1, -1);
  return /^ *`|` *$/.test(bare) ? bare : inside;
}
