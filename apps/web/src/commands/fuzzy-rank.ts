const MAX_RESULTS = 50; // more than anybody looks through instead of typing on

/** The items that match all words of a query, the best first; all of them, in their order, for an empty query. At most 50. */
export function fuzzyRank<Item>(items: readonly Item[], query: string, textOf: (item: Item) => string): Item[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items.slice(0, MAX_RESULTS);
  const scored = items.flatMap((item) => {
    const text = textOf(item).toLowerCase();
    const scores = words.map((word) => scoreOf(text, word));
    return scores.includes(0) ? [] : [{ item, score: scores.reduce((sum, score) => sum + score, 0) }];
  });
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_RESULTS)
    .map(({ item }) => item);
}

const WHOLE = 1_000; // any text that has the word as it is comes before those that only have its letters
const START = 500;

/** How well a word matches: as it is, best at the start of a word, or by its letters in order; 0 for not at all. */
function scoreOf(text: string, word: string): number {
  const at = text.indexOf(word);
  if (at >= 0) {
    const isStart = at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1] ?? '');
    return WHOLE + (isStart ? START : 0) - Math.min(at, 100) + word.length;
  }
  let from = 0;
  let gaps = 0;
  for (const letter of word) {
    const next = text.indexOf(letter, from);
    if (next < 0) return 0;
    if (from > 0) gaps += next - from;
    from = next + letter.length;
  }
  return Math.max(1, 100 - gaps);
}
