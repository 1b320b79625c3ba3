/** The steps of a run. Two runs of a seed have the same trace. */
export interface Trace {
  add(line: string): void;
  /** A number over all lines so far. */
  hash(): number;
  /** The last lines, oldest first; all of them with `keepsAll`. */
  lines(): readonly string[];
  readonly length: number;
}

const KEPT = 80;

export function createTrace({ keepsAll }: { readonly keepsAll: boolean }): Trace {
  const lines: string[] = [];
  let hash = 0x811c9dc5;
  let length = 0;
  return {
    add(line) {
      // FNV-1a: a few nanoseconds a character, and a run has a hundred thousand of them.
      for (let at = 0; at < line.length; at += 1) hash = Math.imul(hash ^ line.charCodeAt(at), 0x01000193);
      hash = Math.imul(hash ^ 10, 0x01000193);
      lines.push(line);
      length += 1;
      if (!keepsAll && lines.length > 2 * KEPT) lines.splice(0, KEPT);
    },
    hash: () => hash >>> 0,
    lines: () => (keepsAll ? lines : lines.slice(-KEPT)),
    get length() {
      return length;
    },
  };
}
