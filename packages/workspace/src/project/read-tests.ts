import type { TestCounts, TestGap } from '@sluice/core/pipeline';
import { stopsAtFailure } from '@sluice/core/stops-at-failure';
import type { TestOutput } from '@sluice/core/workspace';
import { failedParts } from './failed-parts.ts';
import { failedNames, failuresIn, tidied } from './failing-tests.ts';
import type { Failure } from './failure.ts';
import { junitCases } from './junit-failures.ts';
import { type OutputText, outputText } from './output-text.ts';
import { passedTests } from './passed-tests.ts';
import { countsWhenRed, testCounts } from './test-counts.ts';
import { testName } from './test-name.ts';

/** Characters of all names of passed tests together: they are stored in the row, which is written often. */
const MAX_PASSED = 16_000;

/**
 * Reads what a test command printed: the names of failing and passed tests, and the counts. Reads every runner's report in
 * the output, each by what only that runner prints.
 *
 * The output may have been made to be slow to read: time and memory are linear in its length in each reader.
 */
export function readTests(output: string): TestOutput {
  const read = outputText(output);
  const counts = testCounts(read.lines) ?? junitCounts(read);
  const parts = packageParts(read);
  const failures = parts.flatMap((part) =>
    failuresIn(part).map((failure) => ({ ...failure, name: testName(part.name, failure.name) })),
  );
  const passed = parts.flatMap((part) => passedTests(part).map((name) => testName(part.name, name)));
  return {
    failing: failedNames(failures.filter(({ kind }) => kind !== 'outer')),
    broken: failedNames(failures.filter(({ kind }) => kind === 'part')),
    gap: gapIn(read, failures, counts),
    passing: allPassed(passed, counts),
    counts,
    counts_when_red: countsWhenRed(read.lines),
    failed_parts: failedParts(read.lines),
  };
}

function gapIn({ lines }: OutputText, failures: readonly Failure[], counts: TestCounts | null): TestGap | null {
  if (failures.length > 0 && stoppedEarly(lines)) return 'stopped';
  return counts !== null && counts.failed > failures.length ? 'unnamed' : null;
}

function junitCounts({ text }: OutputText): TestCounts | null {
  const outcomes = junitCases(text).map(({ outcome }) => outcome);
  if (outcomes.length === 0) return null;
  const of = (kind: (typeof outcomes)[number]) => outcomes.filter((outcome) => outcome === kind).length;
  return { passed: of('passed'), failed: of('failed'), skipped: of('skipped') };
}

/** Null where the runner did not name all: a test that is missing from a part proves nothing. */
function allPassed(named: readonly string[], counts: TestCounts | null): string[] | null {
  if (named.length === 0) return counts?.passed === 0 ? [] : null;
  if (counts === null || named.length < counts.passed) return null;
  const names = [...new Set(named.map(tidied))].sort();
  return names.reduce((sum, name) => sum + name.length, 0) > MAX_PASSED ? null : names;
}

/** The output of one package, where several ran. */
interface PackagePart extends OutputText {
  /** Null where the output tells of one package only, or of none. */
  readonly name: string | null;
}

/** How npm and pnpm begin the script of a package: `> shop@1.0.0 test`. */
const HEADER = /^> ((?:@[\w.-]+\/)?[\w.-]+)@\S* [\w:.-]+(?: \/.*)?$/;

const MAX_PARTS = 500; // each is read by every reader; a workspace of that size runs in parts

/**
 * The parts of an output in which the scripts of several packages ran one after the other: their tests may have equal names.
 */
function packageParts(output: OutputText): PackagePart[] {
  const { lines } = output;
  const headers = lines.flatMap((line, at) => {
    const name = line.startsWith('> ') ? HEADER.exec(line)?.[1] : undefined;
    return name === undefined ? [] : [{ at, name }];
  });
  const isOne = new Set(headers.map(({ name }) => name)).size < 2;
  if (isOne || headers.length > MAX_PARTS) return [{ ...output, name: null }];
  const texts = output.text.split('\n');
  return [{ at: 0, name: null }, ...headers].map(({ at, name }, index) => {
    const end = headers[index]?.at;
    return { name, text: texts.slice(at, end).join('\n'), lines: lines.slice(at, end) };
  });
}

/** Words by which runners say that they stopped at a failure. */
const WORDS = [
  /^!+ (?:\S+: )?stopping after \d+ failures? !+$/, // pytest
  /^Test Suites: .*, \d+ of \d+ total$/, // jest
  /^Bail out!/, // TAP
  /^Bailed out after \d+ failures?\b/, // bun
  /^ *Testing stopped early after \d+ maximum allowed failures/, // Playwright
  /^warning: \d+\/\d+ tests were not run due to /, // cargo nextest
  /^ *`--fail-fast` is on\./, // AVA
];

const MAX_LINE_LENGTH = 300; // of a line: longer ones take more time, and say none of it

/** Whether the tests stopped at a failure: by a runner's words, by its numbers, or by the command of a script in the output. */
function stoppedEarly(lines: readonly string[]): boolean {
  return isCargoStopped(lines) || lines.some((line) => line.length <= MAX_LINE_LENGTH && isStopped(line));
}

function isStopped(line: string): boolean {
  if (WORDS.some((words) => words.test(line))) return true;
  // npm, pnpm and yarn write the command of a script before they run it.
  if (/^[>$] /.test(line)) return stopsAtFailure(line);
  const [, summary = '', total] = /^ *Tests {2,}(\d.*) \((\d+)\)$/.exec(line) ?? []; // vitest, whose numbers add up otherwise
  const numbers = summary.match(/\d+/g) ?? [];
  return total !== undefined && numbers.reduce((sum, number) => sum + Number(number), 0) < Number(total);
}

/** Cargo names each failing target, and all of them at the end, unless it stops at the first. */
function isCargoStopped(lines: readonly string[]): boolean {
  const failed = lines.some((line) => line.startsWith('error: test failed, to rerun pass '));
  return failed && !lines.some((line) => /^error: \d+ targets? failed:$/.test(line));
}
