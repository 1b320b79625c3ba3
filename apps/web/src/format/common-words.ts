interface CommonWords {
  readonly before: ReadonlySet<number>;
  readonly after: ReadonlySet<number>;
}

/** The longest common subsequence of two lists of words, by the places of its words in each. It takes the square of their length. */
export function commonWords(before: readonly string[], after: readonly string[]): CommonWords {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  const length = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        before[i] === after[j] ? length(i + 1, j + 1) + 1 : Math.max(length(i + 1, j), length(i, j + 1));
  const places = { before: new Set<number>(), after: new Set<number>() };
  for (let i = 0, j = 0; i < before.length && j < after.length; ) {
    if (before[i] === after[j]) {
      places.before.add(i++);
      places.after.add(j++);
    } else if (length(i + 1, j) >= length(i, j + 1)) i += 1;
    else j += 1;
  }
  return places;
}
