/** Finds a text as it was typed; capitals matter only where it has some. Null: nothing is searched for. */
export function searchPattern(query: string): RegExp | null {
  if (query === '') return null;
  return new RegExp(query.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'), /\p{Lu}/u.test(query) ? 'gu' : 'giu');
}

/** A text in parts: what was found, and what stands between. */
export function findParts(text: string, pattern: RegExp | null): readonly { text: string; isFound: boolean }[] {
  if (pattern === null) return [{ text, isFound: false }];
  const parts: { text: string; isFound: boolean }[] = [];
  let end = 0;
  for (const { index, 0: found } of text.matchAll(pattern)) {
    if (index > end) parts.push({ text: text.slice(end, index), isFound: false });
    parts.push({ text: found, isFound: true });
    end = index + found.length;
  }
  if (end < text.length || parts.length === 0) parts.push({ text: text.slice(end), isFound: false });
  return parts;
}
