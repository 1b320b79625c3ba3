import { AppError } from '../error/app-error.ts';
import type { Repo } from './repo.ts';

/**
 * The `owner/name` of a repository at the code host, from its URL: users can change its `name` in Sluice.
 *
 * @throws AppError `repo_not_hosted` when the repository was registered by its URL
 */
export function hostedName(repo: Pick<Repo, 'provider' | 'url'>): string {
  if (repo.provider !== 'codehost') throw new AppError('repo_not_hosted');
  const segments = new URL(repo.url).pathname.replace(/\.git$/i, '').split('/');
  return segments
    .filter((segment) => segment !== '')
    .slice(-2)
    .join('/');
}
