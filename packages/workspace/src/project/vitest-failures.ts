/** Reads vitest's closing list: ` FAIL  file > suite > test`, or ` FAIL  file [ file ]` for a file that did not load. */
export function vitestFailures(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    if (/^⎯+ Unhandled (Errors|Rejections?) ⎯+/.test(line)) return ['vitest: unhandled errors'];
    const failed = /^ ?FAIL {2}(\S.*)$/.exec(line)?.[1];
    if (failed === undefined) return [];
    const file = failed.endsWith(' ]') ? failed.split(' [ ', 1)[0] : failed;
    return [(file ?? failed).trim()];
  });
}
