import {
  type BaseTests,
  belongsToTests,
  environmentFailure,
  type Reproduction,
  type TestReport,
  type TestRun,
} from '@sluice/core';
import type { TestPorts } from '../command/run-test-command.ts';
import type { StageContext } from '../stage/stage-context.ts';
import { committedChange, lastImplementation } from '../workspace/implementation-commit.ts';
import { listed } from './test-feedback.ts';
import type { TestRuns } from './test-runs.ts';

/** A report that passes, with the run at the base that it was compared with. */
export interface PassedTests {
  readonly report: TestReport;
  readonly base: TestRun | null;
}

/** The files of a change: which are tests, and which of those the base has too. */
interface ChangedTests {
  readonly all: readonly string[];
  readonly atBase: readonly string[];
  readonly hasMore: boolean;
}

/**
 * Evidence about a change whose tests pass, for people and the reviewer; never a verdict. The tests as they were before the
 * change show what it alters; the changed tests, run without it, show whether they prove anything.
 */
export async function testEvidence(
  stage: StageContext<TestPorts>,
  runs: TestRuns,
  passed: PassedTests,
): Promise<Pick<TestReport, 'base_tests' | 'reproduction'>> {
  const { triage } = stage.execution.issue().pipeline;
  const tests = await changedTests(stage);
  const base_tests = await runBaseTests(stage, runs, { ...passed, tests });
  const reproduction = triage?.kind === 'bug' ? await reproduce(stage, runs, { ...passed, tests }) : null;
  return { base_tests, reproduction };
}

async function changedTests(stage: StageContext<TestPorts>): Promise<ChangedTests> {
  const { files } = await committedChange(stage);
  const all = files.map(({ path }) => path).filter(belongsToTests);
  if (all.length === 0) return { all, atBase: [], hasMore: files.length > 0 };
  const base = new Set((await (await stage.workspace()).blobs(stage.signal)).map(({ path }) => path));
  return { all, atBase: all.filter((path) => base.has(path)), hasMore: files.length > all.length };
}

type Asked = PassedTests & { readonly tests: ChangedTests };

/** Null where no test that the base has was changed, or where nothing but tests was: then it would be the base itself. */
async function runBaseTests(
  stage: StageContext<TestPorts>,
  runs: TestRuns,
  { report, base, tests }: Asked,
): Promise<BaseTests | null> {
  if (tests.atBase.length === 0 || !tests.hasMore) return null;
  const { baseCommit } = await stage.workspace();
  const run = await runs.extra({
    why: `The change is tested with the test files of the base that it changed: ${listed(tests.atBase)}.`,
    of: 'head',
    place: (workspace, signal) =>
      workspace.mix({ commit: runs.change.commit, from: baseCommit, paths: tests.atBase }, signal),
  });
  if (run === null) return null;
  const known = new Set([...(base?.failing ?? []), ...(report.failed_before ?? [])]);
  return { exit_code: run.exit_code, failed: run.failing.filter((name) => !known.has(name)) };
}

/** Whether a test fails without the change and passes with it. */
async function reproduce(
  stage: StageContext<TestPorts>,
  runs: TestRuns,
  { report, base, tests }: Asked,
): Promise<Reproduction> {
  const fixed = fixedAtBase(report, base);
  if (fixed !== null) return fixed;
  const reason = reasonOfCoder(stage);
  if (tests.all.length === 0) return { outcome: 'no_test', detail: reason ?? 'No test was added or changed.' };
  if (!tests.hasMore) return { outcome: 'not_reproduced', detail: reason ?? 'Nothing but tests was changed.' };
  const { baseCommit } = await stage.workspace();
  const run = await runs.extra({
    why: `The changed tests are run without the rest of the change, where they must fail: ${listed(tests.all)}.`,
    of: 'head',
    place: (workspace, signal) =>
      workspace.mix({ commit: baseCommit, from: runs.change.commit, paths: tests.all }, signal),
  });
  if (run === null) return { outcome: 'unknown', detail: 'There was no time to run the changed tests at the base.' };
  return judgeReproduction({ run, report, base, reason });
}

/** A base that was red and is not any more needs no further run. A test that does not run any more is not fixed. */
export function fixedAtBase(
  { verdict, failed_before = [], not_run = [] }: TestReport,
  base: TestRun | null,
): Reproduction | null {
  if (base === null || base.exit_code === 0 || base.exit_code === null) return null;
  const flaky = base.flaky ?? [];
  const gone = [...failed_before, ...not_run, ...flaky];
  const fixed = base.failing.filter((name) => !gone.includes(name));
  if (fixed.length > 0) return { outcome: 'reproduced', detail: `Failed at the base and pass now: ${listed(fixed)}.` };
  const isFixed = verdict === 'green' && base.failing.length === 0;
  return isFixed ? { outcome: 'reproduced', detail: 'The tests failed at the base and pass now.' } : null;
}

/**
 * Judges the run of the changed tests on the base.
 *
 * @param reason why no test can fail there, in the coder's words; null when they gave none
 */
export function judgeReproduction({
  run,
  report,
  base,
  reason,
}: PassedTests & { readonly run: TestRun; readonly reason: string | null }): Reproduction {
  if (run.exit_code === 0) {
    return { outcome: 'not_reproduced', detail: reason ?? 'The changed tests pass without the change too.' };
  }
  const why = environmentFailure(run);
  if (run.exit_code === null || run.ended_by !== null || why !== null) {
    const ended = run.ended_by === null ? (why ?? 'ended from outside') : `the limit on ${run.ended_by} ended them`;
    return { outcome: 'unknown', detail: `The changed tests gave no result at the base: ${ended}.` };
  }
  const before = new Set([...(base?.failing ?? []), ...(report.failed_before ?? [])]);
  const failing = run.failing.filter((name) => !before.has(name));
  if (failing.length > 0) return { outcome: 'reproduced', detail: `Fail without the change: ${listed(failing)}.` };
  if (run.failing.length > 0) {
    return { outcome: 'not_reproduced', detail: reason ?? 'Without the change only tests fail that failed before.' };
  }
  if (base?.exit_code === 0) return { outcome: 'reproduced', detail: 'The tests fail without the change.' };
  return { outcome: 'unknown', detail: 'The tests fail without the change, but which of them is unknown.' };
}

/** The beginning of a reason that the coder gave. */
export const CODER_SAYS = 'The coder says: ';

const REASON = /^[ \t>*#-]*reproduction:[ \t*]*(\S.*)$/im;
const LONGEST_REASON = 500;

/** A line of the coder's summary that begins with `Reproduction:`. */
function reasonOfCoder(stage: StageContext<TestPorts>): string | null {
  const said = REASON.exec(lastImplementation(stage.execution.issue().pipeline).summary)?.[1];
  return said === undefined ? null : `${CODER_SAYS}${said.trim().slice(0, LONGEST_REASON).toWellFormed()}`;
}
