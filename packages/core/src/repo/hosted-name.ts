import type { CodeHost } from '../code-host/code-host.ts';
import { type HostedName, hostedNameAt, nestedGroup } from '../code-host/hosted-name.ts';
import { AppError } from '../error/app-error.ts';
import type { Repo } from './repo.ts';

/**
 * The name of a registered repository at the code host, from its URL: users can change its `name` in Sluice.
 *
 * @throws AppError `repo_not_hosted` when it was registered by its URL, `repo_nested_group` when its address is no owner
 * and name at this host
 */
export function hostedName({ url: web }: Pick<CodeHost, 'url'>, repo: Pick<Repo, 'provider' | 'url'>): HostedName {
  requireHosted(repo);
  const name = hostedNameAt(web, repo.url);
  if (name === null) throw nestedGroup(repo.url);
  return name;
}

/** Checks that a repository was registered from the code host. @throws AppError `repo_not_hosted` */
export function requireHosted({ provider }: Pick<Repo, 'provider'>): void {
  if (provider !== 'codehost') throw new AppError('repo_not_hosted');
}
