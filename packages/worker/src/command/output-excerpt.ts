const FIRST_LINES = 8; // package managers say at the start what is wrong
const LAST_LINES = 12; // most other programs at the end
const LINE_CHARS = 240;

/** The first and the last lines of a command's output, with the number of lines that were left out between them. */
export function outputExcerpt(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
  const leftOut = lines.length - FIRST_LINES - LAST_LINES;
  if (leftOut <= 1) return lines.map(shortened).join('\n');
  return [
    ...lines.slice(0, FIRST_LINES).map(shortened),
    `[${leftOut} lines left out: the log of the issue has them]`,
    ...lines.slice(-LAST_LINES).map(shortened),
  ].join('\n');
}

/** The cut may split a surrogate pair, which Postgres refuses. */
function shortened(line: string): string {
  return line.length <= LINE_CHARS ? line : `${line.slice(0, LINE_CHARS).toWellFormed()}…`;
}
