import { AppError, type Checkpoint, type Implementation, type PipelineState, type WorkspaceDiff } from '@sluice/core';
import type { StageContext } from '../stage/stage-context.ts';

/**
 * The commit that the last finished round of `implement` came to, in a form that any host can make it from; null before
 * the first one. Where none was kept (its round ended under a version that kept none) the bare commit is named, which
 * the host that made it has.
 */
export async function implementationCheckpoint({
  deps,
  execution,
}: Pick<StageContext, 'deps' | 'execution'>): Promise<Checkpoint | null> {
  const { id, pipeline } = execution.issue();
  if (pipeline.implementation === null) return null;
  const commit = pipeline.implementation.head_commit;
  const kept = await deps.runs.checkpoint(id, 'implementation');
  return kept?.commit === commit ? kept : { commit, object: '', patch: new Uint8Array() };
}

/** The change as the last implementation left it. */
export interface CommittedChange extends WorkspaceDiff {
  readonly head_commit: string;
}

/**
 * The one commit that is tested, reviewed and published. `implement` makes it before anything of the repository's
 * runs again, so that no test can add to what it judges.
 */
export async function committedChange(stage: StageContext): Promise<CommittedChange> {
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
