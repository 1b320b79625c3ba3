import type { StageRun } from '../stage/stage-context.ts';
import { advance, type StageEnd } from '../stage/stage-end.ts';
import { updateIndex } from './update-index.ts';

/** Brings the code index up to date. */
export async function indexCode(stage: StageRun): Promise<StageEnd> {
  const { index, notes } = await updateIndex(stage, await stage.workspace());
  if (index === null) return advance('index', { notes });
  return advance('index', { detail: `${index.files} files, ${index.chunks} chunks`, notes });
}
