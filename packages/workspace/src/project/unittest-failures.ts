/** Reads Python's unittest: `FAIL: test (module.Case.test)` under a line of 70 equals signs. */
export function unittestFailures(lines: readonly string[]): string[] {
  return lines.flatMap((line, at) => {
    const failed = /^(?:FAIL|ERROR): (\S.*)$/.exec(line)?.[1];
    return failed !== undefined && lines[at - 1] === '='.repeat(70) ? [failed] : [];
  });
}
