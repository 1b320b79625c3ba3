import { AppError, type TestRun, type Workspace } from '@sluice/core';
import { runAgent } from '../agent/run-agent.ts';
import { runTestCommand } from '../command/run-test-command.ts';
import { openDiffSaver } from '../workspace/diff-saver.ts';
import { commitMessage } from './commit-message.ts';
import { currentPlan } from './current-plan.ts';
import { advance, gaveUp, type StageEnd } from './stage-end.ts';
import type { StageRun } from './stage-run.ts';

/** Lets the coder carry out the plan, and commits what came of it. */
export async function implement(stage: StageRun): Promise<StageEnd> {
  const { deps, run, repo, step, signal } = stage;
  const workspace = await stage.workspace();
  await testBase(stage, workspace);
  await clearForNewRound(stage, workspace);
  const issue = run.issue();
  const plan = currentPlan(issue);

  const saver = openDiffSaver(stage, workspace);
  const { output, usage } = await runAgent(stage, 'coder', {
    input: { issue, repo, plan, round: step.round, feedback: issue.pipeline.feedback },
    onToolResult: () => saver.touch(),
  }).finally(() => saver.close());

  if (output.outcome === 'blocked') return gaveUp(new AppError('agent_blocked', { detail: output.summary }), { usage });
  const head = await workspace.commit({ message: commitMessage(issue, plan), signal });
  if (head === null) return gaveUp(new AppError('nothing_changed'), { usage });
  const diff = await workspace.diff(signal);
  await run.write((lease) => deps.runs.saveDiff(lease, { ...diff, head_commit: head }));
  return advance('implement', {
    pipeline: {
      implement_round: step.round,
      implementation: { summary: output.summary, head_commit: head },
      feedback: null,
      tests: null,
      review: null,
    },
    usage,
    detail: deps.agents.label('coder'),
  });
}

/**
 * Tests the base, once for all rounds, in the tree that the change will be made in and before it is made. Changes
 * that are there already come from an attempt that was cut off, and what the tests leave behind is not the coder's:
 * both go.
 */
async function testBase(stage: StageRun, workspace: Workspace): Promise<void> {
  const { run, signal } = stage;
  const { pipeline } = run.issue();
  if (pipeline.base_test !== null || pipeline.test_command === null) return;
  await workspace.reset(signal);
  const baseTest = await runTestCommand(stage, workspace, pipeline.test_command);
  await workspace.reset(signal);
  await run.apply({
    trigger: 'stage_advanced',
    set: { pipeline: { ...pipeline, base_test: baseTest } },
    events: [{ type: 'agent.message', data: { agent: 'service', text: baseInWords(baseTest) } }],
  });
}

/** Said, because a test run that fails before anything was changed looks like a failure of the change. */
function baseInWords({ exit_code }: TestRun): string {
  const outcome = exit_code === 0 ? 'pass' : 'fail';
  return `These were the tests at the base, before any change: they ${outcome} there.`;
}

/**
 * Puts the tree to where a round that has done nothing yet begins: the last round's commit, or the base. After a
 * retry it still holds what the failed round left, of which the new one knows nothing.
 */
async function clearForNewRound({ deps, run, step, signal }: StageRun, workspace: Workspace): Promise<void> {
  const { id, pipeline } = run.issue();
  const begun = await deps.runs.journal(id, { stage: step.stage, round: step.round });
  if (begun.length > 0) return;
  if (pipeline.implementation === null) await workspace.reset(signal);
  else await workspace.restore(pipeline.implementation.head_commit, signal);
}
