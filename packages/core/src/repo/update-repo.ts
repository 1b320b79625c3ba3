import type { Authorized } from '../access/authorize.ts';
import { AppError } from '../error/app-error.ts';
import type { RepoStore } from '../port/repo-store.ts';
import type { TokenCipher } from '../port/token-cipher.ts';
import type { RemoteInspector } from '../port/workspace.ts';
import type { Repo, RepoPatch, RepoSettings } from './repo.ts';
import { requireBranch } from './require-branch.ts';

/** What its owner may change. Absent members stay as they are; settings are changed one by one. */
export interface RepoChange extends Omit<RepoPatch, 'settings' | 'accessToken'> {
  readonly settings?: { readonly [K in keyof RepoSettings]?: RepoSettings[K] | undefined } | undefined;
  /** Null forgets the token. */
  readonly accessToken?: string | null | undefined;
}

export interface UpdateRepoContext {
  readonly repos: RepoStore;
  readonly remotes: RemoteInspector;
  readonly cipher: TokenCipher;
}

/**
 * Changes a registered repository. What decides whether it can be reached (default branch, token) is tried first.
 *
 * @throws AppError `repo_not_found`, `remote_refused`, `repo_unreachable`, `base_branch_missing`
 */
export async function updateRepo(
  context: UpdateRepoContext,
  repo: Authorized<Repo>,
  request: { change: RepoChange; signal: AbortSignal },
): Promise<Repo> {
  const { change, signal } = request;
  const { accessToken, settings, ...plain } = change;
  if (change.defaultBranch !== undefined || typeof accessToken === 'string') {
    const facts = await context.remotes.inspect(repo.url, tokenOf(context.cipher, repo, accessToken), signal);
    requireBranch(facts.branches, { name: change.defaultBranch ?? repo.defaultBranch, field: 'default_branch' });
  }
  const given = Object.fromEntries(Object.entries(settings ?? {}).filter(([, value]) => value !== undefined));
  const updated = await context.repos.update(repo.id, {
    ...plain,
    ...(settings === undefined ? {} : { settings: { ...repo.settings, ...given } }),
    ...(accessToken === undefined
      ? {}
      : { accessToken: accessToken === null ? null : context.cipher.seal(repo.userId, accessToken) }),
  });
  if (updated === null) throw new AppError('repo_not_found');
  return updated;
}

function tokenOf(cipher: TokenCipher, repo: Repo, given: string | null | undefined): string | null {
  if (given !== undefined) return given;
  return repo.accessToken === null ? null : cipher.open(repo.userId, repo.accessToken);
}
