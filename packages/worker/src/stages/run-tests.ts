import { AppError } from '@sluice/core/error';
import {
  BUILTIN_LABEL,
  environmentFailure,
  type Implementation,
  type TestReport,
  type TestRun,
} from '@sluice/core/pipeline';
import type { TestPorts } from '../command/run-test-command.ts';
import type { StageContext } from '../stage/stage-context.ts';
import { advance, gaveUp, type StageEnd, sendBack } from '../stage/stage-end.ts';
import { isCleanMerge, lastImplementation } from '../workspace/implementation-commit.ts';
import { type JudgedTests, judgeRepeatedly } from './repeat-tests.ts';
import { environmentFailed } from './test-base.ts';
import { CODER_SAYS, testEvidence } from './test-evidence.ts';
import { renderFlaky, renderRed, testFeedback } from './test-feedback.ts';
import { openTestRuns, type TestedTree, type TestRuns } from './test-runs.ts';
import { testsToFix } from './tests-to-fix.ts';
import { touchedWhereLost } from './touched-in-change.ts';

/** Runs the repository's tests on the committed change and compares them with the base. */
export async function runTests(stage: StageContext<TestPorts>): Promise<StageEnd> {
  const { pipeline } = stage.execution.issue();
  const { prepared } = pipeline;
  const implementation = lastImplementation(pipeline);
  const command = prepared?.test_command ?? null;
  if (command === null) {
    return advance('test', {
      pipeline: { implementation: { ...implementation, tests: null } },
      detail: 'not tested',
      notes: ['No test command is known for this repository, so the change was not tested. Set `test_command`.'],
    });
  }
  const runs = await openTestRuns(stage, command);
  const merges = pipeline.follow_up?.kind === 'base';
  const base = prepared?.base_test ?? null;
  const judged = await judgeRepeatedly(
    runs,
    {
      base,
      touched: await touchedWhereLost(stage, runs, base),
      allowRedBase: stage.repo.settings.allow_red_base,
      byModel: isByModel(implementation) || merges,
    },
    // What the commits of the base branch say is not what somebody wants fixed here.
    (failing) => (merges ? [] : testsToFix(stage.execution.issue(), failing)),
  );
  const end = await endOf(stage, runs, judged);
  await runs.close();
  // What was found about the base holds for later rounds too.
  return prepared === null
    ? end
    : { ...end, pipeline: { ...end.pipeline, prepared: { ...prepared, base_test: judged.base } } };
}

function isByModel({ made_by }: Implementation): boolean {
  return made_by.some((label) => label !== BUILTIN_LABEL);
}

async function endOf(stage: StageContext<TestPorts>, runs: TestRuns, judged: JudgedTests): Promise<StageEnd> {
  if (judged.report.verdict === 'red') return judgedRed(stage, { ...runs.head, run: judged.last }, judged);
  const report: TestReport = { ...judged.report, ...(await testEvidence(stage, runs, judged)) };
  const { pipeline } = stage.execution.issue();
  const implementation = { ...lastImplementation(pipeline), tests: report };
  if (asksForReproduction(stage, report)) {
    const sentBack = pipeline.rounds.test_send_backs + 1;
    const end = sendBack(pipeline, {
      feedback: `${report.reproduction?.detail} ${REPRODUCE}`,
      detail: `no test fails without the change: sent back to the coder (${sentBack} of ${stage.options.bounds.testSendBacks})`,
      rounds: { test_send_backs: sentBack },
      implementation,
    });
    return { ...end, pipeline: { ...end.pipeline, testing: { ...pipeline.testing, reproduction_asked: true } } };
  }
  const { flaky = [] } = report;
  return advance('test', {
    pipeline: { implementation },
    detail: flaky.length === 0 ? report.verdict : `${report.verdict}, with ${flaky.length} flaky`,
    notes: flaky.length === 0 ? [] : [renderFlaky(flaky)],
  });
}

/** Once for an issue: the coder may have a reason, which is shown with the result. */
function asksForReproduction({ execution, options }: StageContext<TestPorts>, report: TestReport): boolean {
  const { pipeline } = execution.issue();
  const { reproduction } = report;
  const hasReason = reproduction?.detail.startsWith(CODER_SAYS) === true;
  return (
    reproduction?.outcome === 'not_reproduced' &&
    !hasReason &&
    isByModel(lastImplementation(pipeline)) &&
    !pipeline.testing.reproduction_asked &&
    pipeline.rounds.test_send_backs < options.bounds.testSendBacks
  );
}

const REPRODUCE =
  'A test of a bug must fail without the fix, or it proves nothing. Change the tests so that one fails at the base. Where none can, say why in your summary, in a line that begins with "Reproduction:".';

function renderAttempts(sentBack: number): string {
  if (sentBack === 0) return '';
  return sentBack === 1 ? ' One attempt to fix this did not help.' : ` ${sentBack} attempts to fix this did not help.`;
}

/** Whether a red head fails only in what failed at the base, and nothing of that is to be fixed. */
function isAsBefore({ new_failures, must_pass, failed_before }: TestReport): boolean {
  return new_failures.length === 0 && must_pass?.length === 0 && (failed_before ?? []).length > 0;
}

/** What would let a head pass that is as red as its base. */
function renderAllowed(report: TestReport): string {
  if (!isAsBefore(report)) return '';
  return report.red_because == null
    ? ' No failure is new: `settings.allow_red_base` lets such a change pass.'
    : ' No failure is new. Fix what fails at the base first, or set a test command that leaves it out (`--test`, `test_command`).';
}

function judgedRed(stage: StageContext<TestPorts>, tested: TestedTree, { report, base }: JudgedTests): StageEnd {
  const { pipeline } = stage.execution.issue();
  const { run: head } = tested;
  const why = environmentFailure(head);
  const bound = why === null ? boundOfRed(stage, report) : boundOfEnvironment(stage, base);
  const sentBack = pipeline.rounds.test_send_backs;
  const implementation = { ...lastImplementation(pipeline), tests: report };
  if (sentBack >= bound) {
    const error =
      why === null
        ? new AppError('tests_red', {
            detail: `${renderRed(head, report)}${renderAllowed(report)}${renderAttempts(sentBack)}`,
          })
        : environmentFailed({ ...tested, why }, HEAD_ADVICE);
    return gaveUp(error, { pipeline: { implementation } });
  }
  const feedback = testFeedback({ head, base, report });
  return sendBack(pipeline, {
    feedback: why === null ? feedback : `${CANNOT_RUN_FEEDBACK}\n${feedback}`,
    detail: `${why === null ? 'red' : 'the test command cannot run'}: sent back to the coder (${sentBack + 1} of ${bound})`,
    rounds: { test_send_backs: sentBack + 1 },
    implementation,
  });
}

/** What failed at the base may hide failures of the change, which the coder cannot find out by trying again. */
function boundOfRed({ options, execution }: StageContext<TestPorts>, report: TestReport): number {
  const { testSendBacks } = options.bounds;
  // The plan of a merge without conflicts names no file that the coder may write.
  if (isCleanMerge(execution.issue().pipeline)) return 0;
  return isAsBefore(report) && report.red_because != null ? Math.min(1, testSendBacks) : testSendBacks;
}

/**
 * A test command that ran at the base and cannot run with the change was broken by the change, which the coder can fix,
 * or needs what the change adds, which nobody can install here. So it is sent back once.
 */
function boundOfEnvironment({ options }: StageContext<TestPorts>, base: TestRun | null): number {
  const ranAtBase = base !== null && environmentFailure(base) === null;
  return ranAtBase ? Math.min(1, options.bounds.testSendBacks) : 0;
}

const CANNOT_RUN_FEEDBACK =
  'The test command ran before the change, and cannot run with it. Nothing can be installed: use what is there, and do not change how the tests are started.';

const HEAD_ADVICE =
  'With the change it needs something that is not installed. Install it with the setup command (`--setup`, `setup_command`), or set another test command (`--test`, `test_command`). Then retry.';
