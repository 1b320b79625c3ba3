import type { TestCounts, TestGap } from '@sluice/core/pipeline';
import type { TestOutput } from '@sluice/core/workspace';
import { failedParts } from './failed-parts.ts';
import { failedNames, failuresIn, tidied } from './failing-tests.ts';
import type { Failure } from './failure.ts';
import { junitCases } from './junit-failures.ts';
import { type OutputText, outputText } from './output-text.ts';
import { packageParts } from './package-parts.ts';
import { passedTests } from './passed-tests.ts';
import { stoppedEarly } from './stopped-early.ts';
import { countsWhenRed, testCounts } from './test-counts.ts';
import { testName } from './test-name.ts';

/** Characters of all names of passed tests together: they are stored in the row, which is written often. */
const MOST_PASSED = 16_000;

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
  return names.reduce((sum, name) => sum + name.length, 0) > MOST_PASSED ? null : names;
}
