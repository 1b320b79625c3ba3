import type { Workspace } from '@sluice/core';
import type { StageContext } from '../stage/stage-context.ts';

const PAUSE_MS = 300; // an agent's tools come in bursts

/** Keeps the change readable from anywhere while it is being made. */
export interface DiffSaver {
  /** Something may have been written. */
  touch(): void;
  /** Ends the saving; resolves when none is under way. */
  close(): Promise<void>;
}

export function openDiffSaver(stage: StageContext, workspace: Workspace): DiffSaver {
  const { deps, execution, signal } = stage;
  let timer: NodeJS.Timeout | undefined;
  let saving: Promise<void> | null = null;
  let touched = false;
  let closed = false;

  async function save(): Promise<void> {
    try {
      const diff = await workspace.diff(signal);
      await execution.write((lease) => deps.runs.saveDiff(lease, { ...diff, head_commit: null }));
    } catch (error) {
      // A view of unfinished work. The stage's own diff, at its end, is the one that must not fail.
      if (!signal.aborted) deps.log.warn({ err: error, issueId: workspace.issueId }, 'an interim diff was not saved');
    }
    saving = null;
    if (touched) touch();
  }

  function touch(): void {
    touched = true;
    if (closed || saving !== null || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      touched = false;
      saving = save();
    }, PAUSE_MS);
  }

  return {
    touch,
    async close() {
      closed = true;
      clearTimeout(timer);
      await saving;
    },
  };
}

const LONGEST_MS = 5_000; // a stage that was stopped has ten seconds to end

/**
 * Keeps the change as it stands in the tree, for whoever wants to read it although its round failed. The stage may have
 * been stopped: only the drive's own end keeps it from being written.
 */
export async function saveInterimDiff({ deps, execution }: StageContext, workspace: Workspace): Promise<void> {
  if (execution.signal.aborted) return;
  try {
    const diff = await workspace.diff(AbortSignal.any([execution.signal, AbortSignal.timeout(LONGEST_MS)]));
    await execution.write((lease) => deps.runs.saveDiff(lease, { ...diff, head_commit: null }));
  } catch (error) {
    // What failed the round counts more than that.
    if (!execution.signal.aborted) {
      deps.log.warn({ err: error, issueId: workspace.issueId }, 'the change of a failed round was not saved');
    }
  }
}
