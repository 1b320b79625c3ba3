/** Output that was not kept. */
export interface LeftOut {
  readonly characters: number;
  /** The ends of lines among them. */
  readonly lines: number;
}

/** The rows of an output that stand for what was left out of it, and the numbers that its lines have all the same. */
export interface LineGaps {
  /** @param gap `isMidLine`: whether it begins in the middle of the line before it */
  add(gap: LeftOut & { readonly row: number; readonly isMidLine: boolean }): void;
  at(row: number): LeftOut | null;
  /** The number of the line in a row, from 1. */
  number(row: number): number;
  /** The row of the line with a number, or of the gap that it is in. */
  row(number: number): number;
}

export function createLineGaps(): LineGaps {
  /** `shift` is added to the numbers of the rows behind a gap. */
  const gaps: { readonly row: number; readonly leftOut: LeftOut; readonly shift: number }[] = [];
  return {
    add({ row, characters, lines, isMidLine }) {
      // The gap has a row but no number. In the middle of a line, a part of the line before it has a row, too.
      const shift = (gaps.at(-1)?.shift ?? 0) + lines - (isMidLine ? 2 : 1);
      gaps.push({ row, leftOut: { characters, lines }, shift });
    },
    at: (row) => gaps.find((gap) => gap.row === row)?.leftOut ?? null,
    number: (row) => row + 1 + (gaps.findLast((gap) => gap.row < row)?.shift ?? 0),
    row(number) {
      let row = number - 1;
      for (const gap of gaps) {
        if (row < gap.row) return row;
        row = Math.max(gap.row, number - 1 - gap.shift);
      }
      return row;
    },
  };
}
