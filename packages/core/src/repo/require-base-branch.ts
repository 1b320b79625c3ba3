import type { Authorized } from '../access/authorized.ts';
import { AppError } from '../error/app-error.ts';
import { errorCatalog } from '../error/error-catalog.ts';
import type { RemoteInspector } from '../workspace/workspace.ts';
import { type CurrentRepoContext, currentRepo } from './current-repo.ts';
import type { Repo } from './repo.ts';
import { accessTo, type RepoAccessContext } from './repo-access.ts';
import { requireBranch } from './require-branch.ts';

export interface BaseBranchContext extends RepoAccessContext, Pick<CurrentRepoContext, 'codehost' | 'repos'> {
  readonly remotes: RemoteInspector;
}

/**
 * Checks the branch that a new issue asks for. The registered default branch was checked before. A remote that does not
 * answer refuses nothing: the pipeline tries again.
 *
 * @throws AppError `base_branch_missing`, `remote_refused`, and what calls to the code host throw for good
 */
export async function requireBaseBranch(
  context: BaseBranchContext,
  repo: Authorized<Repo, 'contribute'>,
  { name, signal }: { readonly name: string | undefined; readonly signal: AbortSignal },
): Promise<void> {
  if (name === undefined || name === repo.defaultBranch) return;
  try {
    const present = await currentRepo(context, repo, signal);
    const token = await accessTo(context, present).token(signal);
    const { branches } = await context.remotes.inspect({ url: present.url, token, userId: present.userId }, signal);
    requireBranch(branches, { name, field: 'base_branch' });
  } catch (error) {
    if (error instanceof AppError && isTransient(error)) return;
    throw error;
  }
}

function isTransient({ code }: AppError): boolean {
  return code === 'repo_unreachable' || errorCatalog[code].retry;
}
