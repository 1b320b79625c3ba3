import { toAppError } from '@sluice/core';
import { advance, type StageEnd } from './stage-end.ts';
import type { StageRun } from './stage-run.ts';

/** Brings the code index up to date. A plan can be made without it, so its failure is said and ends nothing. */
export async function indexCode(stage: StageRun): Promise<StageEnd> {
  const { deps, signal, repo } = stage;
  const workspace = await stage.workspace();
  try {
    const index = await deps.codeIndex.update(workspace, signal);
    await deps.repos.setIndex(repo.id, index);
    return advance('index', { detail: `${index.files} files, ${index.chunks} chunks` });
  } catch (error) {
    signal.throwIfAborted();
    deps.log.warn({ err: error, issueId: workspace.issueId, repoId: repo.id }, 'the code index could not be updated');
    return advance('index', {
      notes: [`The code index could not be updated: ${toAppError(error).message} The plan is made without it.`],
    });
  }
}
