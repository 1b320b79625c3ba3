import { lastAtMost } from '../browser/last-at-most.ts';
import type { LogSection } from './log-book.ts';

/** The rows of a log by their places: a head for each section, and the lines of those that are open. */
export interface LogRows {
  readonly count: number;
  /** @returns the section, and the line; -1 for its head */
  row(index: number): { readonly section: LogSection; readonly line: number };
  key(index: number): number;
  /** The place of a line, or of a head (-1); -1 when it is not shown. */
  indexOf(section: number, line: number): number;
}

const MAX_LINES = 2 ** 24; // of a section, so that the key of a line is one number

export function layOutLog(sections: readonly LogSection[], isOpen: (section: LogSection) => boolean): LogRows {
  const starts: number[] = [];
  let count = 0;
  for (const section of sections) {
    starts.push(count);
    count += 1 + (isOpen(section) ? section.lines.count : 0);
  }
  let near = 0; // rows are asked for in turn: the next one is mostly in the same section
  const place = (index: number) => {
    if (!isWithin(near, index)) near = lastAtMost(index, { count: starts.length, at: (at) => starts[at] ?? 0 });
    return near;
  };
  const isWithin = (at: number, index: number) => (starts[at] ?? 0) <= index && index < (starts[at + 1] ?? count);
  return {
    count,
    row(index) {
      const at = place(index);
      const section = sections[at];
      if (section === undefined) throw new RangeError(`There is no row ${index}.`);
      return { section, line: index - (starts[at] ?? 0) - 1 };
    },
    key(index) {
      const at = place(index);
      return (sections[at]?.id ?? 0) * MAX_LINES + index - (starts[at] ?? 0);
    },
    indexOf(id, line) {
      const at = sections.findIndex((section) => section.id === id);
      const start = starts[at];
      if (start === undefined) return -1;
      const index = start + 1 + line;
      return index < (starts[at + 1] ?? count) ? index : -1;
    },
  };
}
