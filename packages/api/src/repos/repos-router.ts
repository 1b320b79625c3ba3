import { router } from '../procedure/procedure.ts';
import { createRepo } from './create-repo.ts';
import { deleteRepo } from './delete-repo.ts';
import { getRepo } from './get-repo.ts';
import { listCodehostIssues } from './list-codehost-issues.ts';
import { listRepos } from './list-repos.ts';
import { searchRepo } from './search-repo.ts';
import { updateRepo } from './update-repo.ts';

export const reposRouter = router({
  list: listRepos,
  create: createRepo,
  get: getRepo,
  update: updateRepo,
  delete: deleteRepo,
  search: searchRepo,
  issues: listCodehostIssues,
});
