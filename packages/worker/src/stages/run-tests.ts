import { AppError, judgeTests, type TestReport, type TestRun } from '@sluice/core';
import { runTestCommand, type TestPorts } from '../command/run-test-command.ts';
import type { StageContext } from '../stage/stage-context.ts';
import { advance, gaveUp, type StageEnd, sendBack } from '../stage/stage-end.ts';
import { implementationCheckpoint, lastImplementation } from '../workspace/implementation-commit.ts';
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
  const head = await testHead(stage, command);
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
  return judgedRed(stage, head, report);
}

/**
 * Tests the commit, not the current content of the tree. The tree is restored to it before the run, because an earlier run
 * may have been interrupted, and after the run, so that files written by the tests never reach the coder.
 */
async function testHead(stage: StageContext<TestPorts>, command: string): Promise<TestRun> {
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

function judgedRed(stage: StageContext<TestPorts>, head: TestRun, report: TestReport): StageEnd {
  const { pipeline } = stage.execution.issue();
  const bound = stage.options.bounds.testSendBacks;
  const sentBack = pipeline.rounds.test_send_backs;
  const implementation = { ...lastImplementation(pipeline), tests: report };
  if (sentBack >= bound) {
    return gaveUp(new AppError('tests_red', { detail: `${renderRed(head, report)}${renderAttempts(sentBack)}` }), {
      pipeline: { implementation },
    });
  }
  return sendBack(pipeline, {
    feedback: testFeedback({ head, base: pipeline.prepared?.base_test ?? null, report }),
    detail: `red: sent back to the coder (${sentBack + 1} of ${bound})`,
    rounds: { test_send_backs: sentBack + 1 },
    implementation,
  });
}
