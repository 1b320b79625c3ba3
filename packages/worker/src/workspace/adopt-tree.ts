import { AppError, type NewEvent, type Workspace } from '@sluice/core';
import { journaledUsage } from '../agent/journaled-usage.ts';
import { runSetupCommand } from '../command/run-setup-command.ts';
import type { StageRun } from '../stage/stage-run.ts';

/**
 * Brings a tree that is not the one which the pipeline has worked in so far to where that one was: somebody removed
 * it, or its clone, and it was made anew. What the setup command installed is installed again, and the last round's
 * commit is put back. What the coder had written since is gone, while the round's journal counts it as done: going
 * on from there would publish the other half of the change. So that round is given up, and the next one begins with
 * an empty journal.
 *
 * @throws AppError `workspace_lost` when a round was given up: the stage that runs is that round's
 * @throws AppError `setup_failed`
 */
export async function adoptTree(stage: StageRun, workspace: Workspace): Promise<void> {
  const { run, step, signal } = stage;
  const { pipeline } = run.issue();
  if (pipeline.tree === null || pipeline.tree === workspace.treeId) return;
  if (step.stage === 'publish') return; // pushes a commit, and needs nothing of the tree
  const setup = presentSetup(stage);
  const notes = ['The working tree was gone and had to be made anew.'];
  if (setup !== null) notes.push(...(await runSetupCommand(stage, workspace, setup)));
  if (pipeline.implementation !== null) await workspace.restore(pipeline.implementation.head_commit, signal);
  const lost = await hasUncommittedWork(stage);
  await run.apply({
    trigger: 'stage_advanced',
    set: {
      pipeline: { ...pipeline, tree: workspace.treeId, ...(lost && { implement_round: step.round + 1 }) },
      ...(lost && { addUsage: await journaledUsage(stage) }),
    },
    events: notes.map((text): NewEvent => ({ type: 'agent.message', data: { agent: 'service', text } })),
  });
  if (lost) throw new AppError('workspace_lost');
}

/** The owner's command as it is now (an empty one means none): it may have been mended since `prepare` kept it. */
function presentSetup({ repo, run }: StageRun): string | null {
  const own = repo.setupCommand;
  if (own === null) return run.issue().pipeline.setup_command;
  return own.trim() === '' ? null : own;
}

async function hasUncommittedWork({ deps, run, step }: StageRun): Promise<boolean> {
  if (step.stage !== 'implement') return false;
  const entries = await deps.runs.journal(run.issue().id, { stage: step.stage, round: step.round });
  return entries.length > 0;
}
