import { toAppError } from '@sluice/core/error';
import type { RepoIndex } from '@sluice/core/repo';
import type { Workspace } from '@sluice/core/workspace';
import type { StageContext } from '../stage/stage-context.ts';
import { advance, type StageEnd } from '../stage/stage-end.ts';

export type IndexPorts = 'codeIndex' | 'runs' | 'log';

/** Brings the code index up to date. */
export async function indexCode(stage: StageContext<IndexPorts>): Promise<StageEnd> {
  const { index, notes } = await updateIndex(stage, await stage.workspace());
  if (index === null) return advance('index', { notes });
  return advance('index', { detail: `${index.files} files, ${index.chunks} chunks`, notes });
}

/**
 * Updates the code index of the repository to this tree's base. A plan can be made without it, so a failure is only reported.
 *
 * @returns the current index, null after a failure, and notes for the issue's log
 */
export async function updateIndex(
  stage: StageContext<IndexPorts>,
  workspace: Workspace,
): Promise<{ readonly index: RepoIndex | null; readonly notes: readonly string[] }> {
  const { deps, signal, repo } = stage;
  try {
    const updated = await deps.codeIndex.update(workspace, signal, () => stage.beforeModelCall());
    await stage.execution.write((lease) => deps.runs.saveIndex(lease, updated.index));
    return updated;
  } catch (error) {
    signal.throwIfAborted();
    deps.log.warn({ err: error, issueId: workspace.issueId, repoId: repo.id }, 'could not update the code index');
    const note = `The code index could not be updated: ${toAppError(error).message} The plan is made without it.`;
    return { index: null, notes: [note] };
  }
}
