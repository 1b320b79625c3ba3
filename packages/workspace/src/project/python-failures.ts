import { type Failure, failedAs } from './failure.ts';

/** Reads pytest's short test summary. A file stands there without a test's name where it could not be collected. */
export function pytestFailures(lines: readonly string[]): Failure[] {
  const failures: Failure[] = [];
  let inSummary = false;
  for (const line of lines) {
    if (/^=+ short test summary info =+$/.test(line)) inSummary = true;
    else if (/^[=!]{5,}/.test(line)) inSummary = false;
    const [, subtest, entry] = /^(?:FAILED|ERROR|SUBFAILED([([].*?[)\]])?) (.+)$/.exec(inSummary ? line : '') ?? [];
    if (entry === undefined) continue;
    const name = nameIn(entry);
    failures.push(failedAs(subtest === undefined ? name : `${name} ${subtest}`, !name.includes('::')));
  }
  return failures;
}

/** Without the message behind ` - `. Parameters in brackets may hold ` - ` as well; they end where a message or nothing follows. */
function nameIn(entry: string): string {
  const message = entry.indexOf(' - ');
  const parameters = entry.indexOf('[');
  if (parameters < 0 || (message >= 0 && message < parameters)) return message < 0 ? entry : entry.slice(0, message);
  const end = /\](?= - |$)/.exec(entry.slice(parameters));
  return end === null ? entry : entry.slice(0, parameters + end.index + 1);
}

/** Names of unittest that are no test: a module that could not be imported, and the fixtures of a class or a module. */
const NO_TEST = /^(?:setUp|tearDown)(?:Class|Module) |\bunittest\.loader\._FailedTest\b/;

/** Reads Python's unittest: `FAIL: test (module.Case.test)` under a line of 70 equals signs. */
export function unittestFailures(lines: readonly string[]): Failure[] {
  return lines.flatMap((line, at) => {
    const failed = /^(?:FAIL|ERROR): (\S.*)$/.exec(line)?.[1];
    const isNamed = failed !== undefined && lines[at - 1] === '='.repeat(70);
    return isNamed ? [failedAs(failed, NO_TEST.test(failed))] : [];
  });
}
