import { type Failure, failedAs, failedPart, failedTest } from './failure.ts';
import { testName } from './test-name.ts';

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

/** Reads RSpec's closing list, `rspec ./spec/a_spec.rb:5 # Sum adds`, and files that could not be loaded. */
export function rspecFailures(lines: readonly string[]): Failure[] {
  return lines.flatMap((line) => {
    const broken = /^An error occurred while loading (\S+)\.$/.exec(line)?.[1];
    if (broken !== undefined) return [failedPart(broken)];
    const [, file, name] = /^rspec '?(\.\/[^:[\s]+)\S* # (.+)$/.exec(line) ?? [];
    return file === undefined ? [] : [failedTest(testName(file, name))];
  });
}

/** Reads minitest: `Failure:` or `Error:`, then `SumTest#test_adds [test/sum_test.rb:6]:`. */
export function minitestFailures(lines: readonly string[]): Failure[] {
  return lines.flatMap((line, at) => {
    if (!/^(?: {2}\d+\) )?(?:Failure|Error):$/.test(lines[at - 1] ?? '')) return [];
    const name = /^([\w:]+#[^[]+?)(?: \[[^\]]*\])?:$/.exec(line)?.[1];
    return name === undefined ? [] : [failedTest(name)];
  });
}

/** Reads PHPUnit's lists: `There was 1 failure:`, then `1) Tests\SumTest::testAdds`. */
export function phpunitFailures(lines: readonly string[]): Failure[] {
  const failures: Failure[] = [];
  let next = 0;
  for (const line of lines) {
    if (/^There (?:was|were) \d+ (?:failure|error)s?:$/.test(line)) next = 1;
    else if (line === '--' || line === 'FAILURES!' || line === 'ERRORS!') next = 0;
    // Numbers count up by one, so that an error's text cannot pass for the next entry by chance.
    const [, number, name] = next === 0 ? [] : (/^(\d+)\) (\S.*)$/.exec(line) ?? []);
    if (name === undefined || number !== `${next}`) continue;
    failures.push(failedTest(name));
    next += 1;
  }
  return failures;
}

/** Reads ExUnit: `  1) test adds (SumTest)`, then the place in the file; and files that do not compile. */
export function exunitFailures(lines: readonly string[]): Failure[] {
  return lines.flatMap((line, at) => {
    const broken = /^== Compilation error in file (\S+) ==$/.exec(line)?.[1];
    if (broken !== undefined) return [failedPart(broken)];
    const [, name, module] = /^ {2}\d+\) ((?:test|property|doctest) .+) \(([\w.]+)\)$/.exec(line) ?? [];
    const isPlaced = /^ {5}\S+:\d+$/.test(lines[at + 1] ?? '');
    return name === undefined || !isPlaced ? [] : [failedTest(testName(module, name))];
  });
}
