import type { JournalEntry, JournalKey } from '@sluice/core/agent';
import { AppError } from '@sluice/core/error';
import type { NewEvent } from '@sluice/core/issue';
import { withoutRound } from '@sluice/core/pipeline';
import type { Workspace } from '@sluice/core/workspace';
import type { CommandPorts } from '../command/run-command.ts';
import { runSetupCommand } from '../command/run-setup-command.ts';
import { entriesSinceCommit } from '../stage/earlier-rounds.ts';
import type { StageContext } from '../stage/stage-context.ts';
import { implementationCheckpoint } from './implementation-commit.ts';
import { placeForSetup } from './merge-places.ts';

/**
 * Restores the work in a tree that is not the one which the pipeline has used so far: the old tree or its clone was removed,
 * another host continues, or the base was followed. The setup command runs again, and the work is restored: that of the
 * current round from its last checkpoint, else the commit of the last round. The journal of the round gets an entry, so that
 * work done after that checkpoint is repeated.
 *
 * Each step can be repeated: the pipeline only adopts the tree with the last write.
 *
 * @throws AppError `workspace_lost` when the journal of the round counts work as done that was saved nowhere: continuing would
 * publish only part of the change, so the round is given up, and the next one starts with an empty journal
 * @throws AppError `setup_failed`
 */
export async function adoptTree(stage: StageContext<CommandPorts>, workspace: Workspace): Promise<void> {
  const { execution, attempt } = stage;
  const { prepared } = execution.issue().pipeline;
  // `prepare` sets up every tree, and puts the work back itself.
  if (prepared === null || attempt.stage === 'prepare' || prepared.tree === workspace.treeId) return;
  const notes = ['The working tree had to be prepared again.'];
  const setup = attempt.stage === 'publish' ? null : currentSetup(stage); // a push runs no command
  if (setup !== null) await placeForSetup(workspace, stage.signal);
  if (setup !== null) notes.push(...(await runSetupCommand(stage, workspace, setup)));
  const isWhole = await putWorkBack(stage, workspace, { stage: attempt.stage, round: attempt.round });
  const { pipeline } = execution.issue();
  await execution.apply({
    trigger: 'pipeline_updated',
    set: {
      pipeline: {
        ...pipeline,
        prepared: { ...prepared, tree: workspace.treeId },
        ...(isWhole ? {} : withoutRound(pipeline)),
      },
    },
    events: notes.map((text): NewEvent => ({ type: 'agent.message', data: { agent: 'service', text } })),
  });
  if (!isWhole) throw new AppError('workspace_lost');
}

/** The owner's command as it is now (empty: none): it may have been fixed since `prepare` recorded it. */
function currentSetup({ repo, execution }: StageContext<CommandPorts>): string | null {
  const own = repo.setupCommand;
  if (own === null) return execution.issue().pipeline.prepared?.setup_command ?? null;
  return own.trim() === '' ? null : own;
}

/**
 * Restores the work for a round that continues.
 *
 * @returns whether the tree holds everything that the pipeline and the round's journal count as done
 */
export async function putWorkBack(
  stage: StageContext<CommandPorts>,
  workspace: Workspace,
  key: JournalKey,
): Promise<boolean> {
  const { deps, execution, signal } = stage;
  const { id } = execution.issue();
  const entries = key.stage === 'implement' ? await entriesSinceCommit(stage, key) : [];
  const point = resumePoint(entries);
  if (point.kind === 'lost') return false;
  const kept = point.kind === 'start' ? await implementationCheckpoint(stage) : await deps.runs.checkpoint(id, 'work');
  if (point.kind === 'checkpoint' && kept?.commit !== point.commit) return false;
  try {
    // This host may have used the tree before another one did.
    await (kept === null ? workspace.reset(signal) : workspace.restore(kept, signal));
  } catch (error) {
    // Only for the round: before the commit of earlier rounds there is nothing to return to.
    if (point.kind === 'checkpoint' && error instanceof AppError && error.code === 'workspace_lost') return false;
    throw error;
  }
  if (point.isUndone) {
    await execution.write((lease) =>
      deps.runs.appendJournal(lease, key, { entries: [{ kind: 'rewind' }], events: [] }),
    );
  }
  return true;
}

/** The state to which a new tree must be restored before the journal of the round can continue. */
type ResumePoint =
  /** The round's start, or its last checkpoint. */
  | {
      readonly kind: 'start' | 'checkpoint';
      /** The commit of the checkpoint. */
      readonly commit: string | null;
      /** An effect was begun since: the journal needs an entry that it is not in the tree. */
      readonly isUndone: boolean;
    }
  /** The journal counts work as done that no checkpoint holds. */
  | { readonly kind: 'lost' };

/**
 * Finds it in the journal of the round. Only calls of the last turn may have been executed since the last checkpoint: they
 * are reopened. The effects of earlier turns must be in a checkpoint.
 */
export function resumePoint(entries: readonly JournalEntry[]): ResumePoint {
  const kept = entries.findLast((entry) => entry.kind === 'checkpoint');
  if (kept?.commit === null) return { kind: 'lost' };
  const since = entries.slice(entries.findLastIndex(({ kind }) => kind === 'checkpoint' || kind === 'rewind') + 1);
  const begun = since.findIndex(({ kind }) => kind === 'begin');
  const answered = since.findLastIndex(({ kind }) => kind === 'message');
  const isUndone = begun !== -1;
  if (isUndone && begun < answered) return { kind: 'lost' };
  return { kind: kept === undefined ? 'start' : 'checkpoint', commit: kept?.commit ?? null, isUndone };
}
