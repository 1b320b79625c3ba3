import type { Checkpoint } from '@sluice/core';
import type { StageRun } from '../stage/stage-context.ts';

/**
 * The commit that the last finished round of `implement` came to, in a form that any host can make it from; null before
 * the first one. Where none was kept (its round ended under a version that kept none) the bare commit is named, which
 * the host that made it has.
 */
export async function implementationCheckpoint({
  deps,
  run,
}: Pick<StageRun, 'deps' | 'run'>): Promise<Checkpoint | null> {
  const { id, pipeline } = run.issue();
  if (pipeline.implementation === null) return null;
  const commit = pipeline.implementation.head_commit;
  const kept = await deps.runs.checkpoint(id, 'implementation');
  return kept?.commit === commit ? kept : { commit, object: '', patch: new Uint8Array() };
}
