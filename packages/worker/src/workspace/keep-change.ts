import type { Workspace } from '@sluice/core';
import type { StageRun } from '../stage/stage-context.ts';

const LONGEST_MS = 5_000; // a stage that was stopped has ten seconds to end

/**
 * Keeps the change as it stands in the tree, for whoever wants to read it although its round failed. The stage may have
 * been stopped: only the drive's own end keeps it from being written.
 */
export async function keepChange({ deps, run }: StageRun, workspace: Workspace): Promise<void> {
  if (run.signal.aborted) return;
  try {
    const diff = await workspace.diff(AbortSignal.any([run.signal, AbortSignal.timeout(LONGEST_MS)]));
    await run.write((lease) => deps.runs.saveDiff(lease, { ...diff, head_commit: null }));
  } catch (error) {
    // What failed the round counts more than that.
    if (!run.signal.aborted) {
      deps.log.warn({ err: error, issueId: workspace.issueId }, 'the change of a failed round was not saved');
    }
  }
}
