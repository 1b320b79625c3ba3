import { AppError, type WorkspaceDiff } from '@sluice/core';
import type { StageRun } from '../stage/stage-context.ts';

/** The change as the last implementation left it. */
export interface CommittedChange extends WorkspaceDiff {
  readonly head_commit: string;
}

/**
 * The one commit that is tested, reviewed and published. `implement` makes it before anything of the repository's
 * runs again, so that no test can add to what it judges.
 */
export async function committedChange(stage: StageRun): Promise<CommittedChange> {
  const diff = await stage.deps.runs.diff(stage.run.issue().id);
  if (diff === null || diff.head_commit === null) {
    throw new AppError('internal', { detail: 'The implementation left no commit.' });
  }
  return { ...diff, head_commit: diff.head_commit };
}
