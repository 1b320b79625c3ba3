import type { Authorized } from '../access/authorized.ts';
import { AppError } from '../error/app-error.ts';
import { errorCatalog } from '../error/error-catalog.ts';
import type { RemoteInspector } from '../workspace/workspace.ts';
import { type CurrentRepoContext, currentAccess } from './current-repo.ts';
import type { Repo } from './repo.ts';
import type { RepoAccessContext } from './repo-access.ts';

const MAX_NAMED = 5;

/**
 * Checks that a branch exists.
 *
 * @throws AppError `base_branch_missing`, naming the field that asked for the branch and the branches that are most like it
 */
export function requireBranch(branches: readonly string[], branch: { name: string; field: string }): void {
  if (branches.includes(branch.name)) return;
  const detail = `The repository has no branch "${branch.name}".${namesNear(branches, branch.name)}`;
  throw new AppError('base_branch_missing', { detail, errors: [{ path: branch.field, message: detail }] });
}

function namesNear(branches: readonly string[], name: string): string {
  if (branches.length === 0) return '';
  const near = branches.toSorted((a, b) => commonStart(b, name) - commonStart(a, name) || a.localeCompare(b));
  const rest = branches.length > MAX_NAMED ? ` and ${branches.length - MAX_NAMED} more` : '';
  const named = near.slice(0, MAX_NAMED).map((one) => `"${one}"`);
  return ` It has ${named.join(', ')}${rest}.`;
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

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
    const { url, userId, token } = await currentAccess(context, repo, signal);
    const { branches } = await context.remotes.inspect({ url, token: await token(signal), userId }, signal);
    requireBranch(branches, { name, field: 'base_branch' });
  } catch (error) {
    if (error instanceof AppError && isTransient(error)) return;
    throw error;
  }
}

function isTransient({ code }: AppError): boolean {
  return code === 'repo_unreachable' || errorCatalog[code].retry;
}
