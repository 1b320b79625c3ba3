import { AppError } from '@sluice/core/error';
import type { Implementation, PipelineState } from '@sluice/core/pipeline';
import type { Checkpoint, WorkspaceDiff } from '@sluice/core/workspace';
import type { StageContext } from '../stage/stage-context.ts';

/**
 * The commit of the last finished round of `implement`, in a form that any host can restore; null before the first one. Where
 * no checkpoint was saved (by an early version) only the commit is named, which the host that made it has.
 */
export async function implementationCheckpoint({ deps, execution }: StageContext<'runs'>): Promise<Checkpoint | null> {
  const { id, pipeline } = execution.issue();
  if (pipeline.implementation === null) return null;
  const commit = pipeline.implementation.head_commit;
  const kept = await deps.runs.checkpoint(id, 'implementation');
  return kept?.commit === commit ? kept : { commit, object: '', patch: new Uint8Array() };
}

/** The change that the last implementation committed. */
export interface CommittedChange extends WorkspaceDiff {
  readonly head_commit: string;
}

/**
 * The one commit that is tested, reviewed and published. `implement` makes it before any further command of the repository
 * runs, so no test can add to the commit that it judges.
 */
export async function committedChange(stage: StageContext<'runs'>): Promise<CommittedChange> {
  const diff = await stage.deps.runs.diff(stage.execution.issue().id);
  if (diff === null || diff.head_commit === null) {
    throw new AppError('internal', { detail: 'The implementation left no commit.' });
  }
  return { ...diff, head_commit: diff.head_commit };
}

/** The last finished implementation. The pipeline does not reach a later stage without one. */
export function lastImplementation({ implementation }: PipelineState): Implementation {
  if (implementation === null) throw new AppError('internal', { detail: 'The implementation left no commit.' });
  return implementation;
}

/** Whether the last implementation is a merge that git made alone: there is nothing of ours in it but the commit. */
export function isCleanMerge({ follow_up, implementation }: PipelineState): boolean {
  return follow_up?.kind === 'base' && implementation !== null && implementation.made_by.length === 0;
}
