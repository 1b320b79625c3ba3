import type { TestCounts } from '@sluice/core/pipeline';
import { goTests } from './go-failures.ts';
import { tapLeaves } from './tap-failures.ts';

const KINDS: Readonly<Record<string, keyof TestCounts>> = {
  pass: 'passed',
  passed: 'passed',
  passing: 'passed',
  xpassed: 'passed',
  fail: 'failed',
  failed: 'failed',
  failing: 'failed',
  failure: 'failed',
  failures: 'failed',
  error: 'failed',
  errors: 'failed',
  cancelled: 'failed',
  skip: 'skipped',
  skips: 'skipped',
  skipped: 'skipped',
  pending: 'skipped',
  todo: 'skipped',
  ignored: 'skipped',
  excluded: 'skipped',
  incomplete: 'skipped',
  xfailed: 'skipped', // it runs, and whether it passes does not matter
  'expected fail': 'skipped',
};

/** Lines in which a runner tells how many tests ended how, each as `2 failed` or `failed: 2`. */
const SUMMARIES = [
  /^ *Tests {2,}(\d+ (?:failed|passed|skipped|todo|expected fail).*) \(\d+\)$/, // vitest
  /^Tests: {5,}(.*\d+ total)$/, // jest
  /^=* ?(\d+ (?:failed|passed|skipped|error|errors|xfailed|xpassed|deselected)\b.*) in [\d.]+s(?: \([\d:]+\))?(?: =+)?$/, // pytest
  /^test result: \w+\. (\d+ passed; .*)$/, // cargo
  /^(?:ok|FAILED) \| (\d+ passed.*?)(?: \(\S+\))?$/, // deno
  /^(?:Passed|Failed|Skipped)! {2}- (Failed: .*), Total: /, // dotnet
];

/** Lines that tell one kind alone, of runners that write a line for each. */
const SINGLES = [
  /^(?:ℹ|#) (pass|fail|cancelled|skipped|todo) (\d+)$/, // node:test, in both forms, and mocha's TAP
  /^ {2}(\d+) (passing|failing|pending)(?: \(\S+\))?$/, // mocha
  /^ (\d+) (pass|fail|skip|todo)$/, // bun
];

/** Lines of which the passed tests are what is left of a total. */
const TOTALS = [
  /^(\d+) examples?, (\d+ failures?.*)$/, // rspec
  /^(\d+) runs, \d+ assertions, (\d+ failures.*)$/, // minitest
  /^(?:\d+ (?:doctests?|properties|property), )*(\d+) tests?, (\d+ failures?.*)$/, // ExUnit
  /^(\d+) tests? completed(?:, (.*))?$/, // gradle
  /^Tests: (\d+), Assertions: \d+(?:, (.*))?\.$/, // phpunit
  /^OK \((\d+) tests?, \d+ assertions?\)()$/, // phpunit
  /^(?:\[(?:INFO|WARNING|ERROR)\] )?Tests run: (\d+), (Failures: \d+, Errors: \d+, Skipped: \d+)$/, // surefire's total
];

/**
 * How many tests passed, failed and were skipped, by what runners say at the end, or by their lines where they say no sum; of
 * several runners together.
 *
 * @returns null where no runner says it, as `go test` without `-v`
 */
export function testCounts(lines: readonly string[]): TestCounts | null {
  const summed = lines.flatMap((line, at) => countsIn(line) ?? unittestCounts(lines, at) ?? []);
  const found = [...summed, ...[countedLines(lines)].filter((counts) => counts !== null)];
  if (found.length === 0) return null;
  return found.reduce((sum, one) => ({
    passed: sum.passed + one.passed,
    failed: sum.failed + one.failed,
    skipped: sum.skipped + one.skipped,
  }));
}

/** Whether a runner tells its counts that tells none where all tests pass: Gradle, and Maven where it is quiet. */
export function countsWhenRed(lines: readonly string[]): boolean {
  const isQuiet = !lines.some((line) => line.startsWith('[INFO] '));
  return lines.some(
    (line) => /^\d+ tests? completed(?:,|$)/.test(line) || (isQuiet && line.startsWith('[ERROR] Tests run: ')),
  );
}

function countsIn(line: string): TestCounts | null {
  if (!/\d/.test(line) || line.length > MAX_SUMMARY_LENGTH) return null;
  for (const pattern of SUMMARIES) {
    const found = pattern.exec(line)?.[1];
    if (found !== undefined) return kindsIn(found);
  }
  for (const pattern of SINGLES) {
    const found = pattern.exec(line);
    if (found !== null) return kindsIn(found[0]);
  }
  for (const pattern of TOTALS) {
    const [, total, others = ''] = pattern.exec(line) ?? [];
    if (total !== undefined) return ofTotal(Number(total), others);
  }
  return null;
}

const MAX_SUMMARY_LENGTH = 200;

/** `Ran 5 tests in 0.001s`, an empty line, and `OK` or `FAILED (failures=1, skipped=1)`. */
function unittestCounts(lines: readonly string[], at: number): TestCounts | null {
  const total = /^Ran (\d+) tests? in [\d.]+s$/.exec(lines[at] ?? '')?.[1];
  const [, others = ''] = /^(?:OK|FAILED)(?: \((.{0,150})\))?$/.exec(lines[at + 2] ?? '') ?? [];
  return total === undefined ? null : ofTotal(Number(total), others.replaceAll('expected failures', 'xfailed'));
}

function ofTotal(total: number, others: string): TestCounts {
  const { failed, skipped } = kindsIn(others);
  return { passed: Math.max(0, total - failed - skipped), failed, skipped };
}

const NOT_A_KIND: TestCounts = { passed: 0, failed: 0, skipped: 0 };

/** Reads `2 failed`, `failed: 2`, `failed 2` and `failed=2`, separated by anything. */
function kindsIn(found: string): TestCounts {
  const counts = { ...NOT_A_KIND };
  const form = /(?:(\d+) (expected fail|[a-z]+))|(?:([A-Za-z]+)(?:: *|=| )(\d+))/g;
  for (const [, before, kind, name, after] of found.matchAll(form)) {
    const known = KINDS[(kind ?? name ?? '').toLowerCase()];
    if (known !== undefined) counts[known] += Number(before ?? after);
  }
  return counts;
}

type Outcome = keyof TestCounts;

const NO_COUNTS: TestCounts = { passed: 0, failed: 0, skipped: 0 };

/** Counts the lines of runners that write one for each test and no sum. Null where there is none. */
function countedLines(lines: readonly string[]): TestCounts | null {
  const outcomes = [...goLines(lines), ...gradleLines(lines), ...tapLines(lines), ...ctestLines(lines)];
  if (outcomes.length === 0) return null;
  const counts = { ...NO_COUNTS };
  for (const outcome of outcomes) counts[outcome] += 1;
  return counts;
}

/** `go test` names those that pass only with `-v`, which also writes when a test begins. */
function goLines(lines: readonly string[]): Outcome[] {
  return lines.some((line) => line.startsWith('=== RUN ')) ? goTests(lines).map(({ outcome }) => outcome) : [];
}

const GRADLE = /^[\w.$]+ > \S.* (PASSED|FAILED|SKIPPED)$/;

/** Gradle tells the sum where a test fails, and writes lines where it is told to. */
function gradleLines(lines: readonly string[]): Outcome[] {
  if (lines.some((line) => /^\d+ tests? completed(?:,|$)/.test(line))) return [];
  const words = lines.flatMap((line) => GRADLE.exec(line)?.[1]?.toLowerCase() ?? []);
  return words.includes('passed') ? (words as Outcome[]) : [];
}

/** node:test and mocha add the sum to TAP. */
function tapLines(lines: readonly string[]): Outcome[] {
  if (lines.some((line) => /^# pass \d+$/.test(line))) return [];
  return tapLeaves(lines).map(({ outcome }) => outcome);
}

/** CTest counts a skipped test among those that passed, and says so in the test's line. */
function ctestLines(lines: readonly string[]): Outcome[] {
  return lines.flatMap((line) => {
    const how = /^ *\d+\/\d+ Test +#\d+: .*?\.{2,} *(Passed|\*\*\*Skipped|\*\*\*Not Run \(Disabled\)|\*\*\*\S)/.exec(
      line,
    )?.[1];
    if (how === undefined) return [];
    return how === 'Passed' ? ['passed'] : /Skipped|Disabled/.test(how) ? ['skipped'] : ['failed'];
  });
}
