export interface DiffLine {
  readonly path: string;
  /** Line number in the new file, from 1; for a removed line, the number it would have. */
  readonly line: number;
  readonly text: string;
}

export interface DiffLines {
  readonly added: readonly DiffLine[];
  readonly removed: readonly DiffLine[];
}

/**
 * The lines that one of git's unified diffs adds and removes. Unlike the `diff` package's parser it never throws, because
 * the search for secrets must read a malformed diff too. A header inside a hunk counts as a line of the hunk.
 */
export function diffLines(diff: string): DiffLines {
  const added: DiffLine[] = [];
  const removed: DiffLine[] = [];
  let path = '';
  let line = 0;
  let left = { old: 0, new: 0 };
  for (const text of diff.split('\n')) {
    if (left.old > 0 || left.new > 0) {
      const mark = text.charAt(0) || ' ';
      if (mark === '+') added.push({ path, line, text: text.slice(1) });
      if (mark === '-') removed.push({ path, line, text: text.slice(1) });
      if (mark === '+' || mark === ' ') line += 1;
      left = {
        old: left.old - Number(mark === '-' || mark === ' '),
        new: left.new - Number(mark === '+' || mark === ' '),
      };
      continue;
    }
    path = headerPath(/^\+\+\+ (.*)$/.exec(text)?.[1]) ?? path;
    const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
    if (hunk !== null) {
      line = Number(hunk[2]);
      left = { old: Number(hunk[1] ?? 1), new: Number(hunk[3] ?? 1) };
    }
  }
  return { added, removed };
}

/** The sections of a diff, one per file, each from its `diff --git` line to the next. Anything before them is dropped. */
export function diffSections(diff: string): string[] {
  // Every line of a hunk has a mark before it, so none starts like this. The `m` flag would also match after a CR.
  return diff.split(/(?<=^|\n)(?=diff --git )/).filter((section) => section.startsWith('diff --git '));
}

/**
 * A diff without the header lines that tell a reader nothing: the hashes of a file's content, and the line of git's own
 * where the two names follow anyway.
 */
export function withLeanHeaders(diff: string): string {
  return diff
    .replaceAll(/(?<=^|\n)index [0-9a-f]+\.\.[0-9a-f]+(?: \d+)?\n/g, '')
    .replaceAll(/(?<=^|\n)diff --git .*\n(?=--- )/g, '');
}

function headerPath(raw: string | undefined): string | null {
  if (raw === undefined) return null;
  const name = unquoted(raw.split('\t', 1)[0] ?? '');
  return name === '/dev/null' ? null : name.replace(/^b\//, '');
}

/** git quotes names with special characters. Only the plain escapes matter, as the name is only shown. */
function unquoted(name: string): string {
  return name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : name;
}
