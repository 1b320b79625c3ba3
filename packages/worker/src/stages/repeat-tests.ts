import { environmentFailure, listed, type TestReport, type TestRun } from '@sluice/core/pipeline';
import { placeCompared } from '../workspace/merge-places.ts';
import type { TestRuns } from './test-runs.ts';
import { type JudgedRuns, judgeTests } from './verdict/test-verdict.ts';

/** Runs after the first one: a third run tells a test that fails half of the time from a broken one in seven of eight cases. */
const MAX_REPEATS = 2;

/** The runs that were judged in the end, and their report. */
export interface JudgedTests {
  readonly report: TestReport;
  readonly base: TestRun | null;
  /** The last run at the head. */
  readonly last: TestRun;
}

/**
 * Judges a run of the head, and repeats what the verdict depends on: new failures at the head, at most twice, and, once for
 * an issue, the failures at the base that would excuse those of the head. A test that fails and passes is flaky.
 *
 * @param named which of some failing tests are to be fixed
 */
export async function judgeRepeatedly(
  runs: TestRuns,
  first: Omit<JudgedRuns, 'heads' | 'mustPass'>,
  named: (failing: readonly string[]) => readonly string[],
): Promise<JudgedTests> {
  let { base } = first;
  let heads: JudgedRuns['heads'] = [runs.head.run];
  for (;;) {
    const mustPass = named(heads.flatMap(({ failing }) => failing));
    const report = judgeTests({ ...first, base, heads, mustPass });
    const head = await repeatHead(runs, report, heads);
    if (head !== null) {
      heads = [...heads, head];
      continue;
    }
    const repeated = report.verdict === 'red_as_before' ? await repeatBase(runs, report, base) : null;
    if (repeated === null) return { report, base, last: heads.at(-1) ?? heads[0] };
    base = repeated;
  }
}

async function repeatHead(runs: TestRuns, report: TestReport, heads: JudgedRuns['heads']): Promise<TestRun | null> {
  const isOpen = report.verdict === 'red' && report.new_failures.length > 0 && report.must_pass?.length === 0;
  if (!isOpen || heads.length > MAX_REPEATS || !heads.every(namesItsFailures)) return null;
  return runs.extra({
    why: `The tests are run again (run ${heads.length + 1} of ${MAX_REPEATS + 1}), because a test may be flaky: ${listed(report.new_failures)}.`,
    of: 'head',
    place: (workspace, signal) => workspace.restore(runs.change, signal),
  });
}

/** @returns the run at the base with its flaky tests; null when it was repeated before, or cannot be */
async function repeatBase(runs: TestRuns, report: TestReport, base: TestRun | null): Promise<TestRun | null> {
  if (base === null || base.flaky !== undefined) return null;
  const again = await runs.extra({
    why: `The tests at the base are run again, because only tests that always fail there excuse a failure: ${listed(report.failed_before ?? [])}.`,
    of: 'base',
    place: placeCompared,
  });
  if (again === null) return null;
  const isKnown = again.exit_code === 0 || namesItsFailures(again);
  return { ...base, flaky: isKnown ? base.failing.filter((name) => !again.failing.includes(name)) : [] };
}

function namesItsFailures(run: TestRun): boolean {
  const isWhole = run.exit_code !== null && run.ended_by === null && (run.unread ?? null) === null;
  return isWhole && run.failing.length > 0 && environmentFailure(run) === null;
}
