import {
  type BaseTests,
  environmentFailure,
  listed,
  NOTHING_TOUCHED,
  type Reproduction,
  type TestReport,
  type TestRun,
  type TouchedTests,
} from '@sluice/core/pipeline';
import { belongsToTests } from '@sluice/test-integrity';
import type { TestPorts } from '../command/run-test-command.ts';
import type { StageContext } from '../stage/stage-context.ts';
import { committedChange, lastImplementation } from '../workspace/implementation-commit.ts';
import type { TestRuns } from './test-runs.ts';
import { failuresToFix } from './tests-to-fix.ts';
import { touchedInChange } from './touched-in-change.ts';
import { isTouched } from './verdict/missing-tests.ts';
import { isSameTest } from './verdict/test-name-parts.ts';

/** A report that passes, with the last run at the head and the run at the base that it was compared with. */
interface PassedTests {
  readonly report: TestReport;
  readonly last: TestRun;
  readonly base: TestRun | null;
}

/** The files of a change: which are tests, which of those the base has too, and which of the others may have tests inside. */
interface ChangedTests {
  readonly all: readonly string[];
  readonly atBase: readonly string[];
  readonly hasMore: boolean;
  readonly withTests: readonly string[];
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
  const run = await runBaseTests(stage, runs, tests);
  const base_tests = run === null ? null : comparedWith(passed.last, run);
  const report = { ...passed.report, base_tests };
  // Tests that the change leaves as they are were run with it already.
  const proof = tests.atBase.length === 0 ? passed.last : run;
  const reproduction =
    triage?.kind === 'bug' ? await reproduce(stage, runs, { ...passed, report, tests, proof }) : null;
  return { base_tests, reproduction };
}

/** What fails at the head in either case has nothing to do with the tests that were changed. */
function comparedWith(head: TestRun, { exit_code, failing }: TestRun): BaseTests {
  return { exit_code, failed: failing.filter((name) => !head.failing.includes(name)) };
}

async function changedTests(stage: StageContext<TestPorts>): Promise<ChangedTests> {
  const { files } = await committedChange(stage);
  const all = files.map(({ path }) => path).filter(belongsToTests);
  // Rust keeps tests beside what they test.
  const withTests = files.map(({ path }) => path).filter((path) => path.endsWith('.rs') && !all.includes(path));
  if (all.length === 0) return { all, atBase: [], hasMore: files.length > 0, withTests };
  const base = new Set((await (await stage.workspace()).blobs(stage.signal)).map(({ path }) => path));
  return { all, atBase: all.filter((path) => base.has(path)), hasMore: files.length > all.length, withTests };
}

/** Null where no test that the base has was changed, or where nothing but tests was: then it would be the base itself. */
async function runBaseTests(
  stage: StageContext<TestPorts>,
  runs: TestRuns,
  tests: ChangedTests,
): Promise<TestRun | null> {
  if (tests.atBase.length === 0 || !tests.hasMore) return null;
  const { baseCommit } = await stage.workspace();
  return runs.extra({
    why: `The change is tested with the test files of the base that it changed: ${listed(tests.atBase)}.`,
    of: 'head',
    place: (workspace, signal) =>
      workspace.mix({ commit: runs.change.commit, from: baseCommit, paths: tests.atBase }, signal),
  });
}

interface Asked extends PassedTests {
  readonly tests: ChangedTests;
  /** The change, run with the tests as they are at the base; null where it was not. */
  readonly proof: TestRun | null;
}

/** Whether a test fails without the change and passes with it. */
async function reproduce(
  stage: StageContext<TestPorts>,
  runs: TestRuns,
  { report, base, tests, proof }: Asked,
): Promise<Reproduction> {
  const beside = await touchedBeside(stage, runs, tests);
  const fixed = fixedAtBase({ report, base, proof, edited: beside.titles ?? [] });
  const isRunnable = tests.all.length > 0 && tests.hasMore;
  if (fixed !== null && (!isRunnable || isNamed(stage, base))) return fixed;
  const reason = reasonOfCoder(stage);
  if (tests.all.length === 0 && (beside.titles?.length !== 0 || beside.more !== 0)) {
    const detail = `The changed tests are in the same files as the program, so they cannot be run without the change: ${listed(tests.withTests)}.`;
    return { outcome: 'unknown', detail: reason ?? detail };
  }
  if (tests.all.length === 0) return { outcome: 'no_test', detail: reason ?? 'No test was added or changed.' };
  if (!tests.hasMore) return { outcome: 'not_reproduced', detail: reason ?? 'Nothing but tests was changed.' };
  const { baseCommit } = await stage.workspace();
  const run = await runs.extra({
    why: `The changed tests are run without the rest of the change, where they must fail: ${listed(tests.all)}.`,
    of: 'head',
    place: (workspace, signal) =>
      workspace.mix({ commit: baseCommit, from: runs.change.commit, paths: tests.all }, signal),
  });
  if (run === null) {
    return fixed ?? { outcome: 'unknown', detail: 'There was no time to run the changed tests at the base.' };
  }
  // A test that failed there by chance is not what the change fixed.
  if (fixed !== null && base !== null && run.exit_code !== 0) {
    const flaky = [...(base.flaky ?? []), ...base.failing.filter((name) => !run.failing.includes(name))];
    const again = fixedAtBase({ report, base: { ...base, flaky }, proof, edited: beside.titles ?? [] });
    if (again !== null) return again;
  }
  return judgeReproduction({ run, report, base, reason });
}

/** Whether the issue, its plan or a person names one of the failures at the base as what is to be fixed. */
function isNamed(stage: StageContext<TestPorts>, base: TestRun | null): boolean {
  return base !== null && failuresToFix(stage.execution.issue(), base.failing).length > 0;
}

/** What the change does to tests that are beside the code, and so cannot be run without it. */
async function touchedBeside(
  stage: StageContext<TestPorts>,
  runs: TestRuns,
  { withTests }: ChangedTests,
): Promise<TouchedTests> {
  if (withTests.length === 0) return NOTHING_TOUCHED;
  return (await touchedInChange(stage, runs, (path) => withTests.includes(path))) ?? { titles: null, more: null };
}

/**
 * A base that was red and is not any more needs no further run. A test is fixed if it passes in the form that it has at the
 * base: one that was skipped, deleted or rewritten is not.
 *
 * @param edited titles of tests that the change edits and that cannot be run as they are at the base
 */
export function fixedAtBase({
  report,
  base,
  proof,
  edited = [],
}: Pick<Asked, 'base' | 'proof'> & {
  readonly report: Pick<TestReport, 'flaky'>;
  readonly edited?: readonly string[];
}): Reproduction | null {
  if (base === null || base.exit_code === 0 || base.exit_code === null || proof === null) return null;
  const { flaky = [], broken = [], failing } = base;
  const unsure = [...flaky, ...broken, ...(report.flaky ?? []).map(({ name }) => name)];
  const tests = failing.filter((name) => !unsure.includes(name) && !isTouched(name, edited));
  const gone = tests.filter((name) => !proof.failing.includes(name));
  const fixed = gone.filter((name) => passes(name, proof) ?? allPass(gone.length, base, proof));
  if (fixed.length > 0) return { outcome: 'reproduced', detail: `Failed at the base and pass now: ${listed(fixed)}.` };
  const isFixed = failing.every((name) => broken.includes(name)) && allPass(0, base, proof);
  return isFixed && proof.exit_code === 0
    ? { outcome: 'reproduced', detail: 'The tests failed at the base and pass now.' }
    : null;
}

/** Whether a test is named as passed; null where the runner does not name all that passed. */
function passes(name: string, { passing }: TestRun): boolean | null {
  return passing == null ? null : passing.some((one) => isSameTest(name, one));
}

/** Whether as many tests more pass as no longer fail, and no more are skipped; or all do, where the runner does not count. */
function allPass(gone: number, base: TestRun, proof: TestRun): boolean {
  const [before, now] = [base.counts ?? null, proof.counts ?? null];
  if (before === null || now === null) return proof.exit_code === 0;
  return now.passed - before.passed >= gone && now.skipped <= before.skipped;
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
}: Pick<PassedTests, 'report' | 'base'> & { readonly run: TestRun; readonly reason: string | null }): Reproduction {
  if (run.exit_code === 0) {
    return { outcome: 'not_reproduced', detail: reason ?? 'The changed tests pass without the change too.' };
  }
  const why = environmentFailure(run);
  if (run.exit_code === null || run.ended_by !== null || why !== null) {
    const ended = run.ended_by === null ? (why ?? 'ended from outside') : `the limit on ${run.ended_by} ended them`;
    return { outcome: 'unknown', detail: `The changed tests gave no result at the base: ${ended}.` };
  }
  // A test that fails in its form at the base, and not in its new one, was rewritten: it is as good as a new one.
  const rewritten = report.base_tests?.failed ?? [];
  const before = [...(base?.failing ?? []), ...(report.failed_before ?? [])].filter(
    (name) => !rewritten.includes(name),
  );
  const failing = run.failing.filter((name) => !before.includes(name));
  const tests = failing.filter((name) => run.broken?.includes(name) !== true);
  if (tests.length > 0) return { outcome: 'reproduced', detail: `Fail without the change: ${listed(tests)}.` };
  if (failing.length > 0) {
    return { outcome: 'unknown', detail: `Cannot be loaded or built without the change: ${listed(failing)}.` };
  }
  if (run.failing.length > 0) {
    return { outcome: 'not_reproduced', detail: reason ?? 'Without the change only tests fail that failed before.' };
  }
  if (endsBeforeTests(run, report)) {
    return { outcome: 'unknown', detail: 'Without the change the tests end before any of them fails.' };
  }
  if (base?.exit_code === 0) return { outcome: 'reproduced', detail: 'The tests fail without the change.' };
  return { outcome: 'unknown', detail: 'The tests fail without the change, but which of them is unknown.' };
}

/** A compiler may have ended them, where the runner counts its tests and has none that failed. */
function endsBeforeTests(run: TestRun, { counts }: TestReport): boolean {
  return run.counts == null ? counts != null : run.counts.failed === 0;
}

/** The beginning of a reason that the coder gave. */
export const CODER_SAYS = 'The coder says: ';

const REASON = /^[ \t>*#-]*reproduction:[ \t*]*(\S.*)$/im;
const MAX_REASON_LENGTH = 500;

/** A line of the coder's summary that begins with `Reproduction:`. */
function reasonOfCoder(stage: StageContext<TestPorts>): string | null {
  const given = REASON.exec(lastImplementation(stage.execution.issue().pipeline).summary)?.[1];
  return given === undefined ? null : `${CODER_SAYS}${given.trim().slice(0, MAX_REASON_LENGTH).toWellFormed()}`;
}
