export interface DiffLine {
  readonly path: string;
  /** Line number in the new file, from 1; of a line that is gone: where it would stand. */
  readonly line: number;
  readonly text: string;
}

export interface DiffLines {
  readonly added: readonly DiffLine[];
  readonly removed: readonly DiffLine[];
}

/** The lines that a unified diff of git's adds and removes. What looks like a header inside a hunk is a line of it. */
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

/** A diff's parts by file, each from its `diff --git` line to the next. What stands before the first is dropped. */
export function diffSections(diff: string): string[] {
  // No line of a hunk begins so: each has its mark before it. The flag `m` would also take a carriage return for its end.
  return diff.split(/(?<=^|\n)(?=diff --git )/).filter((section) => section.startsWith('diff --git '));
}

function headerPath(raw: string | undefined): string | null {
  if (raw === undefined) return null;
  const name = unquoted(raw.split('\t', 1)[0] ?? '');
  return name === '/dev/null' ? null : name.replace(/^b\//, '');
}

/** git quotes names with special characters; only the plain escapes matter for telling people where to look. */
function unquoted(name: string): string {
  return name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : name;
}
