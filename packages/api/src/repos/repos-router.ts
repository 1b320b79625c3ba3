import { router } from '../procedure/procedure.ts';
import { createRepo } from './create-repo.procedure.ts';
import { deleteRepo } from './delete-repo.ts';
import { getRepo } from './get-repo.ts';
import { listCodehostIssues } from './list-hosted-issues.procedure.ts';
import { listRepos } from './repos.procedure.ts';
import { searchRepo } from './search-repo.procedure.ts';
import { updateRepo } from './update-repo.procedure.ts';

export const reposRouter = router({
  list: listRepos,
  create: createRepo,
  get: getRepo,
  update: updateRepo,
  delete: deleteRepo,
  search: searchRepo,
  issues: listCodehostIssues,
});
