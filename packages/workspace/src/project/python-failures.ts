/** Reads pytest's short test summary. */
export function pytestFailures(lines: readonly string[]): string[] {
  const names: string[] = [];
  let inSummary = false;
  for (const line of lines) {
    if (/^=+ short test summary info =+$/.test(line)) inSummary = true;
    else if (/^[=!]{5,}/.test(line)) inSummary = false;
    const [, subtest, entry] = /^(?:FAILED|ERROR|SUBFAILED([([].*?[)\]])?) (.+)$/.exec(inSummary ? line : '') ?? [];
    if (entry !== undefined) names.push(subtest === undefined ? nameIn(entry) : `${nameIn(entry)} ${subtest}`);
  }
  return names;
}

/** Without the message behind ` - `. Parameters in brackets may hold ` - ` as well; they end where a message or nothing follows. */
function nameIn(entry: string): string {
  const message = entry.indexOf(' - ');
  const parameters = entry.indexOf('[');
  if (parameters < 0 || (message >= 0 && message < parameters)) return message < 0 ? entry : entry.slice(0, message);
  const end = /\](?= - |$)/.exec(entry.slice(parameters));
  return end === null ? entry : entry.slice(0, parameters + end.index + 1);
}

/** Reads Python's unittest: `FAIL: test (module.Case.test)` under a line of 70 equals signs. */
export function unittestFailures(lines: readonly string[]): string[] {
  return lines.flatMap((line, at) => {
    const failed = /^(?:FAIL|ERROR): (\S.*)$/.exec(line)?.[1];
    return failed !== undefined && lines[at - 1] === '='.repeat(70) ? [failed] : [];
  });
}
