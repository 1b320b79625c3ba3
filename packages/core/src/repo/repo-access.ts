import type { TokenCipher } from '../port/token-cipher.ts';
import type { RepoAccess } from '../port/workspace.ts';
import type { Repo } from './repo.ts';

/** How a repository is reached. Its token is opened for each call and kept nowhere. */
export function accessTo({ cipher }: { readonly cipher: TokenCipher }, repo: Repo): RepoAccess {
  return {
    repoId: repo.id,
    url: repo.url,
    token: () => (repo.accessToken === null ? null : cipher.open(repo.userId, repo.accessToken)),
  };
}
