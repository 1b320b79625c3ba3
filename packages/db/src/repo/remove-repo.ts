import type { Repo } from '@sluice/core/repo';
import { deletePiece } from '../removal/delete-removed.ts';
import { hideRepo } from '../removal/hide.ts';
import type { Write } from '../store/store-context.ts';
import { endPolls } from './polls.ts';

/** Removes a repository with its issues. The caller holds the dispatch lock and the repository, and no issue of it is active. */
export async function removeRepo(
  write: Write,
  { id, codehostRepoId }: Pick<Repo, 'id' | 'codehostRepoId'>,
): Promise<void> {
  await hideRepo(write, id);
  await endPolls(write, codehostRepoId);
  await deletePiece(write, id); // a small one is gone with it
}
