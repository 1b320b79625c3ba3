import { expect, it } from 'vitest';
import type { TokenCipher } from '../account/token-cipher.ts';
import type { Repo } from './repo.ts';
import { accessTo } from './repo-access.ts';

const cipher: TokenCipher = {
  encrypt: (_owner, token) => ({ encrypted: `key:${token}`, nonce: 'nonce' }),
  decrypt: (_owner, { encrypted }) => {
    if (!encrypted.startsWith('key:')) throw new Error('the key is gone');
    return encrypted.slice('key:'.length);
  },
};

function tokenOf(accessToken: Repo['accessToken']): Promise<string | null> {
  const repo = { id: 'repo', userId: 'ann', url: 'https://host/o/r', provider: 'git', accessToken } as unknown as Repo;
  return accessTo({ cipher, codehostTokens: null }, repo).token(new AbortController().signal);
}

it('opens the token that a repository was registered with', async () => {
  expect(await tokenOf(cipher.encrypt({ kind: 'repo_access_token', id: 'repo', userId: 'ann' }, 'token'))).toBe(
    'token',
  );
  expect(await tokenOf(null)).toBe(null);
});

it('requires a new token when the stored one cannot be decrypted', async () => {
  await expect(tokenOf({ encrypted: 'lost:token', nonce: 'nonce' })).rejects.toMatchObject({
    code: 'repo_token_unreadable',
    kind: 'conflict',
    retry: false,
  });
});
