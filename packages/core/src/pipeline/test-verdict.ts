import type { TestReport, TestRun } from './test-report.ts';

/**
 * Judges the head's test run against the base's. Green at the head passes. A red head passes as `red_as_before`
 * only where the repository allows a red base, and only when every failing test could be named and failed at the
 * base too: a false "done" is worse than none. An output that was not read names nothing, so such a run never passes red.
 */
export function judgeTests(runs: { head: TestRun; base: TestRun | null; allowRedBase: boolean }): TestReport {
  const { head, base } = runs;
  const failedAtBase = new Set(base?.failing ?? []);
  const newFailures = head.failing.filter((name) => !failedAtBase.has(name));
  return {
    command: head.command,
    verdict: verdictOf(runs, newFailures),
    exit_code: head.exit_code,
    duration_ms: head.duration_ms,
    base_exit_code: base?.exit_code ?? null,
    new_failures: head.exit_code === 0 ? [] : newFailures,
  };
}

function verdictOf(
  runs: { head: TestRun; base: TestRun | null; allowRedBase: boolean },
  newFailures: string[],
): TestReport['verdict'] {
  const { head, base, allowRedBase } = runs;
  if (head.exit_code === 0) return 'green';
  // A run without an exit code was ended from outside, so its list of failures is not all of it.
  const endedByItself = [head, base].every((run) => run?.ended_by === null && run.exit_code !== null);
  const bothRead = (head.unread ?? null) === null && (base?.unread ?? null) === null;
  const baseWasRed = base !== null && base.exit_code !== 0;
  const allNamed = head.failing.length > 0;
  const isAsBefore = endedByItself && bothRead && baseWasRed && allNamed && newFailures.length === 0;
  return allowRedBase && isAsBefore ? 'red_as_before' : 'red';
}
