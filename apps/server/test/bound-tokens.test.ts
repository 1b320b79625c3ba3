import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TokenOwner } from '@sluice/core/account';
import type { RepoId } from '@sluice/core/id';
import { openSqlite, type Stores } from '@sluice/db';
import { aNewRepo, aNewUser, newId } from '@sluice/testing';
import { expect, it } from 'vitest';
import { encryptionKeyOf } from '../src/config/encryption-key.ts';
import { createTokenCipher } from '../src/keys/token-cipher.ts';
import { scratchFolder, startScratchServer } from './scratch-server.ts';

const base64 = randomBytes(32).toString('base64');
const key = encryptionKeyOf('k', base64);
const cipher = createTokenCipher(key === null ? [] : [key]);
const clock = { now: () => new Date() };

async function on<T>(dataDir: string, work: (stores: Stores) => Promise<T>): Promise<T> {
  const stores = await openSqlite({ dataDir, clock });
  try {
    return await work(stores);
  } finally {
    await stores.close();
  }
}

it('binds the tokens of an earlier release to their rows at start, and skips unreadable ones', async () => {
  const dataDir = scratchFolder();
  const user = aNewUser();
  const [id, lostId] = [newId<RepoId>(), newId<RepoId>()];
  const owner: TokenOwner = { kind: 'repo_access_token', id, userId: user.id };
  const before = cipher.encrypt(owner, 'canary-token', { encrypted: 'k:x', nonce: '' });
  const lost = { encrypted: 'gone:AAAA', nonce: 'AAAA' };
  await on(dataDir, async ({ users, repos }) => {
    await users.create(user);
    await repos.create(aNewRepo({ id, userId: user.id, accessToken: before }));
    await repos.create(aNewRepo({ id: lostId, userId: user.id, accessToken: lost }));
  });

  await using server = await startScratchServer({ ENCRYPTION_KEYS: `k:${base64}` }, dataDir);
  await server.close();
  await on(dataDir, async ({ repos }) => {
    const encryptedToken = (await repos.get(id))?.accessToken;
    expect(encryptedToken?.encrypted).toMatch(/^k:v2:/);
    expect(encryptedToken && cipher.decrypt(owner, encryptedToken)).toBe('canary-token');
    expect(() => encryptedToken && cipher.decrypt({ ...owner, id: lostId }, encryptedToken)).toThrow();
    expect((await repos.get(lostId))?.accessToken).toEqual(lost);
  });
  expect(readFileSync(join(dataDir, 'sluice.log'), 'utf8')).not.toContain('canary-token');
});
