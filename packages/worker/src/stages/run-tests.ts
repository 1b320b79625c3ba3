import { AppError, environmentFailure, judgeTests, type TestReport, type TestRun } from '@sluice/core';
import { runTestCommand, type TestPorts } from '../command/run-test-command.ts';
import type { StageContext } from '../stage/stage-context.ts';
import { advance, gaveUp, type StageEnd, sendBack } from '../stage/stage-end.ts';
import { implementationCheckpoint, lastImplementation } from '../workspace/implementation-commit.ts';
import { environmentFailed } from './test-base.ts';
import { renderRed, testFeedback } from './test-feedback.ts';

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
  const tested = await testHead(stage, command);
  const { run: head } = tested;
  const report = judgeTests({
    head,
    base: prepared?.base_test ?? null,
    allowRedBase: stage.repo.settings.allow_red_base,
  });
  if (report.verdict !== 'red') {
    return advance('test', {
      pipeline: { implementation: { ...implementation, tests: report } },
      detail: report.verdict,
    });
  }
  return judgedRed(stage, tested, report);
}

interface HeadRun {
  readonly run: TestRun;
  readonly output: string;
}

/**
 * Tests the commit, not the current content of the tree. The tree is restored to it before the run, because an earlier run
 * may have been interrupted, and after the run, so that files written by the tests never reach the coder.
 */
async function testHead(stage: StageContext<TestPorts>, command: string): Promise<HeadRun> {
  const workspace = await stage.workspace();
  const change = await implementationCheckpoint(stage);
  if (change === null) throw new AppError('internal', { detail: 'The implementation left no commit.' });
  await workspace.restore(change, stage.signal);
  const head = await runTestCommand(stage, workspace, { command, of: 'head' });
  await workspace.restore(change, stage.signal);
  return head;
}

function renderAttempts(sentBack: number): string {
  if (sentBack === 0) return '';
  return sentBack === 1 ? ' One attempt to fix this did not help.' : ` ${sentBack} attempts to fix this did not help.`;
}

function judgedRed(stage: StageContext<TestPorts>, tested: HeadRun, report: TestReport): StageEnd {
  const { pipeline } = stage.execution.issue();
  const { run: head } = tested;
  const base = pipeline.prepared?.base_test ?? null;
  const why = environmentFailure(head);
  const bound = why === null ? stage.options.bounds.testSendBacks : boundOfEnvironment(stage, base);
  const sentBack = pipeline.rounds.test_send_backs;
  const implementation = { ...lastImplementation(pipeline), tests: report };
  if (sentBack >= bound) {
    const error =
      why === null
        ? new AppError('tests_red', { detail: `${renderRed(head, report)}${renderAttempts(sentBack)}` })
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

/**
 * A test command that ran at the base and cannot run with the change was broken by the change, which the coder can mend,
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
