import type { Workspace } from '@sluice/core/workspace';
import type { StageContext } from '../stage/stage-context.ts';

const PAUSE_MS = 300; // an agent's tool calls come in bursts

/** Makes the change readable from anywhere while it is being made. */
export interface DiffSaver {
  /** Call when files may have changed. */
  touch(): void;
  /** Stops saving; resolves when no save is running. */
  close(): Promise<void>;
}

export function openDiffSaver(stage: StageContext<'runs' | 'timers' | 'log'>, workspace: Workspace): DiffSaver {
  const { deps, execution, signal } = stage;
  let cancel: (() => void) | null = null;
  let saving: Promise<void> | null = null;
  let touched = false;
  let closed = false;

  async function save(): Promise<void> {
    try {
      const diff = await workspace.diff(signal);
      await execution.write((lease) => deps.runs.saveDiff(lease, { ...diff, head_commit: null }));
    } catch (error) {
      // Only a preview of unfinished work. The diff at the end of the stage is the one that must not fail.
      if (!signal.aborted) deps.log.warn({ err: error, issueId: workspace.issueId }, 'could not save an interim diff');
    }
    saving = null;
    if (touched) touch();
  }

  function touch(): void {
    touched = true;
    if (closed || saving !== null || cancel !== null) return;
    cancel = deps.timers.after(PAUSE_MS, () => {
      cancel = null;
      touched = false;
      saving = save();
    });
  }

  return {
    touch,
    async close() {
      closed = true;
      cancel?.();
      await saving;
    },
  };
}

const MAX_MS = 5_000; // a stage that was stopped has ten seconds to end

/**
 * Saves the change in the tree so that it can be read although its round failed. The stage may have been stopped: only the
 * end of the execution prevents the write.
 */
export async function saveInterimDiff(
  { deps, execution }: StageContext<'runs' | 'timers' | 'log'>,
  workspace: Workspace,
): Promise<void> {
  if (execution.signal.aborted) return;
  try {
    const diff = await workspace.diff(AbortSignal.any([execution.signal, deps.timers.timeout(MAX_MS)]));
    await execution.write((lease) => deps.runs.saveDiff(lease, { ...diff, head_commit: null }));
  } catch (error) {
    // The failure of the round matters more.
    if (!execution.signal.aborted) {
      deps.log.warn({ err: error, issueId: workspace.issueId }, 'could not save the change of a failed round');
    }
  }
}
