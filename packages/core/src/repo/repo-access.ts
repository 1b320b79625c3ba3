import type { EncryptedToken, TokenCipher, TokenOwner } from '../account/token-cipher.ts';
import type { CodeHostTokens } from '../code-host/code-host-tokens.ts';
import { AppError } from '../error/app-error.ts';
import type { RepoAccess } from '../workspace/workspace.ts';
import type { Repo } from './repo.ts';

/** The sources of tokens for remotes. */
export interface RepoAccessContext {
  readonly cipher: TokenCipher;
  /** Null where no code host is configured. */
  readonly codehostTokens: CodeHostTokens | null;
}

/**
 * Access to a repository: at the code host with the user's token there, elsewhere with the token that it was registered
 * with. The token is decrypted for each call and not kept.
 */
export function accessTo({ cipher, codehostTokens }: RepoAccessContext, repo: Repo): RepoAccess {
  return {
    repoId: repo.id,
    userId: repo.userId,
    url: repo.url,
    byAccount: repo.accessToken === null && repo.provider === 'codehost',
    token: async (signal) => {
      if (repo.accessToken !== null) return opened(cipher, repoTokenOwner(repo), repo.accessToken);
      if (repo.provider !== 'codehost') return null;
      if (codehostTokens === null) throw new AppError('codehost_not_configured');
      return await codehostTokens.of(repo.userId, signal);
    },
  };
}

/** The owner that a repository's access token is bound to. */
export function repoTokenOwner({ id, userId }: Pick<Repo, 'id' | 'userId'>): TokenOwner {
  return { kind: 'repo_access_token', id, userId };
}

function opened(cipher: TokenCipher, owner: TokenOwner, token: EncryptedToken): string {
  try {
    return cipher.decrypt(owner, token);
  } catch (cause) {
    throw new AppError('repo_token_unreadable', {}, { cause });
  }
}
