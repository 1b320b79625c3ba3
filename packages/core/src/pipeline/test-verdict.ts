import type { TestReport, TestRun } from './test-report.ts';

/**
 * Compares the test run at the head with the one at the base. A green head passes. A red head passes as `red_as_before` only
 * if the repository allows a red base, and if every failing test is known by name and also failed at the base: a false
 * "done" is worse than none. A run with unparsed output has no names, so it never passes red.
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
  // A run without an exit code was ended by a limit, so its list of failures is incomplete.
  const endedByItself = [head, base].every((run) => run?.ended_by === null && run.exit_code !== null);
  const bothRead = (head.unread ?? null) === null && (base?.unread ?? null) === null;
  const baseWasRed = base !== null && base.exit_code !== 0;
  const allNamed = head.failing.length > 0;
  const isAsBefore = endedByItself && bothRead && baseWasRed && allNamed && newFailures.length === 0;
  return allowRedBase && isAsBefore ? 'red_as_before' : 'red';
}
