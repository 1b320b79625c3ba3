import { type AgentResult, AppError, type Plan, type TestRun, type Workspace } from '@sluice/core';
import { runAgent } from '../../agent/run-agent.ts';
import { runTestCommand } from '../../command/run-test-command.ts';
import type { StageRun } from '../../stage/stage-context.ts';
import { advance, gaveUp, type StageEnd } from '../../stage/stage-end.ts';
import type { CommittedChange } from '../../workspace/committed-change.ts';
import { implementationCheckpoint } from '../../workspace/implementation-checkpoint.ts';
import { keepChange } from '../../workspace/keep-change.ts';
import { openDiffSaver } from '../../workspace/save-diff.ts';
import { approvedPlan } from '../approved-plan.ts';
import { outsidePlan, outsidePlanInWords } from '../outside-plan.ts';
import { unreadInWords } from '../test-feedback.ts';
import { commitMessage } from './commit-message.ts';

/** Lets the coder carry out the plan, and commits what came of it. */
export async function implement(stage: StageRun): Promise<StageEnd> {
  const { run } = stage;
  const plan = approvedPlan(run.issue());
  const workspace = await stage.workspace();
  await testBase(stage, workspace);
  await clearForNewRound(stage, workspace);
  const { output, madeBy } = await runCoder(stage, workspace, plan);
  if (output.outcome === 'blocked') {
    await keepChange(stage, workspace);
    return gaveUp(new AppError('agent_blocked', { detail: output.summary }));
  }
  const change = await commitChange(stage, workspace, plan);
  if (change === null) return gaveUp(new AppError('nothing_changed'));
  const before = run.issue().pipeline.implementation;
  const outside = outsidePlan({
    plan,
    changed: change.files.map(({ path }) => path),
    reasons: [...output.outsidePlan, ...(before?.outside_plan ?? [])],
  });
  const note = outsidePlanInWords(outside);
  return advance('implement', {
    pipeline: {
      implement_round: stage.step.round,
      implementation: {
        summary: output.summary,
        head_commit: change.head_commit,
        outside_plan: outside,
        made_by: [...new Set([...(before?.made_by ?? []), ...madeBy])],
      },
      feedback: null,
      tests: null,
      review: null,
    },
    notes: note === null ? [] : [note],
    detail: madeBy.join(', '),
  });
}

async function runCoder(stage: StageRun, workspace: Workspace, plan: Plan): Promise<AgentResult<'coder'>> {
  const { run, repo, step } = stage;
  const issue = run.issue();
  const saver = openDiffSaver(stage, workspace);
  try {
    return await runAgent(stage, 'coder', {
      input: { issue, repo, plan, round: step.round, feedback: issue.pipeline.feedback },
      onToolResult: () => saver.touch(),
    }).finally(() => saver.close());
  } catch (error) {
    await keepChange(stage, workspace);
    throw error;
  }
}

/** Commits the change and keeps it so that any host can go on from it; null when nothing was changed. */
async function commitChange(stage: StageRun, workspace: Workspace, plan: Plan): Promise<CommittedChange | null> {
  const { deps, run, signal } = stage;
  const made = await workspace.commit({ message: commitMessage(run.issue(), plan), signal });
  if (made === null) return null;
  const change = { ...(await workspace.diff(signal)), head_commit: made.commit };
  await run.write((lease) => deps.runs.saveCheckpoint(lease, 'implementation', made));
  await run.write((lease) => deps.runs.saveDiff(lease, change));
  return change;
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
  const baseTest = await runTestCommand(stage, workspace, { command: pipeline.test_command, of: 'base' });
  await workspace.reset(signal);
  await run.apply({
    trigger: 'stage_advanced',
    set: { pipeline: { ...pipeline, base_test: baseTest } },
    events: [{ type: 'agent.message', data: { agent: 'service', text: baseInWords(baseTest) } }],
  });
}

/** Said, because a test run that fails before anything was changed looks like a failure of the change. */
function baseInWords({ exit_code, unread }: TestRun): string {
  const outcome = exit_code === 0 ? 'pass' : 'fail';
  return `These were the tests at the base, before any change: they ${outcome} there.${unreadInWords(unread)}`;
}

/**
 * Puts the tree to where a round that has done nothing yet begins: the last round's commit, or the base. After a
 * retry it still holds what the failed round left, of which the new one knows nothing.
 */
async function clearForNewRound(stage: StageRun, workspace: Workspace): Promise<void> {
  const { deps, run, step, signal } = stage;
  const begun = await deps.runs.journal(run.issue().id, { stage: step.stage, round: step.round });
  if (begun.length > 0) return;
  const last = await implementationCheckpoint(stage);
  if (last === null) await workspace.reset(signal);
  else await workspace.restore(last, signal);
}
