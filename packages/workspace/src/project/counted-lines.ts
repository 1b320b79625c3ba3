import type { TestCounts } from '@sluice/core/pipeline';
import { goTests } from './go-failures.ts';
import { tapLeaves } from './tap-failures.ts';

type Outcome = keyof TestCounts;

const NO_COUNTS: TestCounts = { passed: 0, failed: 0, skipped: 0 };

/** Counts the lines of runners that write one for each test and no sum. Null where there is none. */
export function countedLines(lines: readonly string[]): TestCounts | null {
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
