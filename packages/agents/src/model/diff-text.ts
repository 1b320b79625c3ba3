export interface AddedLine {
  readonly path: string;
  /** Line number in the new file, from 1. */
  readonly line: number;
  readonly text: string;
}

/** The lines that a unified diff of git's adds. */
export function addedLines(diff: string): AddedLine[] {
  const added: AddedLine[] = [];
  let path = '';
  let line = 0;
  let left = { old: 0, new: 0 };
  for (const text of diff.split('\n')) {
    if (left.old > 0 || left.new > 0) {
      const mark = text.charAt(0) || ' ';
      if (mark === '+') added.push({ path, line, text: text.slice(1) });
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
  return added;
}

/** The paths that its headers name on either side: a rename touches two. */
export function changedPaths(diff: string): string[] {
  const names = [...diff.matchAll(/^rename (?:from|to) (.+)$/gm)].map((match) => unquoted(match[1] ?? ''));
  return [...new Set(names)];
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
