/**
 * The code span at the beginning of `text`: as many backticks as open it close it. The content is exact; only where
 * the padding is needed (content that begins or ends with a backtick) one space on each side is dropped. Two
 * backticks with nothing code-like after them are the empty span, which Markdown lacks and "replace with nothing" needs.
 */
export function readCodeSpan(text: string): { content: string; rest: string } | null {
  const mark = /^`+/.exec(text)?.[0];
  if (mark === undefined) return null;
  const close = new RegExp(`(?<!\`)${mark}(?!\`)`).exec(text.slice(mark.length));
  if (close === null) return mark.length === 2 ? { content: '', rest: text.slice(2) } : null;
  const inside = text.slice(mark.length, mark.length + close.index);
  return { content: withoutPadding(inside), rest: text.slice(mark.length + close.index + mark.length) };
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
