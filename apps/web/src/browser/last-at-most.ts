interface RisingNumbers {
  readonly count: number;
  readonly at: (index: number) => number;
}

/** The place of the last of some rising numbers that is at most `limit`; 0 where none is. */
export function lastAtMost(limit: number, { count, at }: RisingNumbers): number {
  let [low, high] = [0, count - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (at(middle) <= limit) low = middle;
    else high = middle - 1;
  }
  return Math.max(low, 0);
}
