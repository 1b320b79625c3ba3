import { AppError } from '../error/app-error.ts';
import type { Repo } from './repo.ts';

/**
 * The `owner/name` by which the code host knows a repository, from where it is reached: its `name` here is its user's
 * to change.
 *
 * @throws AppError `repo_not_hosted` for a repository that was registered by its URL
 */
export function hostedName(repo: Pick<Repo, 'provider' | 'url'>): string {
  if (repo.provider !== 'codehost') throw new AppError('repo_not_hosted');
  const segments = new URL(repo.url).pathname.replace(/\.git$/i, '').split('/');
  return segments
    .filter((segment) => segment !== '')
    .slice(-2)
    .join('/');
}
