const hunkHeader = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/**
 * Puts right the line counts of hunk headers, as `git apply --recount` does: people who write a diff by hand count
 * wrong. A hunk ends at the next header; blank lines at its end are taken for the text's, not the hunk's.
 */
export function recountHunks(diff: string): string {
  const lines = diff.split('\n');
  const recounted: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    const [header, oldStart = '1', newStart = '1'] = hunkHeader.exec(line) ?? [];
    at += 1;
    if (header === undefined) {
      recounted.push(line);
      continue;
    }
    const body: string[] = [];
    while (at < lines.length && !beginsAnother(lines, at)) body.push(lines[at++] ?? '');
    while (body.at(-1) === '') body.pop();
    if (body.some((text) => !/^(?:[-+ \\]|$)/.test(text))) {
      // Something in it is no line of a hunk: counted again, it would be left out in silence.
      recounted.push(line, ...body);
      continue;
    }
    const count = (marks: string) => body.filter((text) => marks.includes(text.charAt(0) || ' ')).length;
    recounted.push(`@@ -${oldStart},${count(' -')} +${newStart},${count(' +')} @@`, ...body);
  }
  return `${recounted.join('\n')}\n`;
}

function beginsAnother(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  return /^(?:@@ |diff |Index: )/.test(line) || (line.startsWith('--- ') && (lines[at + 1] ?? '').startsWith('+++ '));
}
