import { randomBytes } from 'node:crypto';
import { callerOf } from '@sluice/core/access';
import type { EncryptedToken, TokenOwner } from '@sluice/core/account';
import { encryptGrant } from '@sluice/core/code-host';
import type { RepoId, UserId } from '@sluice/core/id';
import { openScratch } from '@sluice/db/scratch';
import { aNewRepo, aNewUser, anAccount, newId } from '@sluice/testing';
import { expect, it } from 'vitest';
import type { EncryptionKey } from '../config/encryption-key.ts';
import { reencryptTokens } from './reencrypt-tokens.ts';
import { boundUnder, createTokenCipher } from './token-cipher.ts';

const keyOf = (id: string): EncryptionKey => ({ id, key: randomBytes(32) });
const older = keyOf('2025');
const newer = keyOf('2026');
const clock = { now: () => new Date() };

const repoOwner = ({ id, userId }: { id: string; userId: string }): TokenOwner => ({
  kind: 'repo_access_token',
  id,
  userId,
});
const grantOwner = (userId: string): TokenOwner => ({ kind: 'codehost_grant', id: userId, userId });
/** Its form alone counts: a token of the release before. */
const UNBOUND = { encrypted: '2025:x', nonce: '' };
const done = { done: [boundUnder(newer.id)] };

/** A database with `users` users, each with a grant and a repository's token, all encrypted with the older key. */
async function filled(users: number, replaced: EncryptedToken | null = null) {
  const stores = await openScratch({ clock });
  const cipher = createTokenCipher([older]);
  const ids: UserId[] = [];
  for (let at = 0; at < users; at += 1) {
    const user = aNewUser();
    await stores.users.create(user);
    ids.push(user.id);
    await stores.codehostLinks.link(user.id, { ...anAccount(), id: String(at + 1) }, grantOf(user.id, `grant ${at}`));
    const repo = { id: newId<RepoId>(), userId: user.id };
    const accessToken = cipher.encrypt(repoOwner(repo), `token ${at}`, replaced);
    await stores.repos.create(aNewRepo({ ...repo, accessToken }));
  }
  return { stores, ids, [Symbol.asyncDispose]: () => stores.close() };

  function grantOf(userId: UserId, accessToken: string) {
    return encryptGrant(cipher, userId, { accessToken, refreshToken: null, expiresAt: null, replaced });
  }
}

it('encrypts everything with the first key, in batches, so that the old key can be removed', async () => {
  await using it = await filled(120);
  const both = createTokenCipher([newer, older]);
  const run = () => reencryptTokens({ store: it.stores.encryptedSecrets, cipher: both }, done);
  expect(await run()).toEqual({
    codehost_grants: 120,
    repo_access_tokens: 120,
    notification_secrets: 0,
    notification_urls: 0,
    second_factors: 0,
    unreadable: 0,
  });
  expect(await run()).toEqual({
    codehost_grants: 0,
    repo_access_tokens: 0,
    notification_secrets: 0,
    notification_urls: 0,
    second_factors: 0,
    unreadable: 0,
  });

  const alone = createTokenCipher([newer]);
  for (const [at, id] of it.ids.entries()) {
    const grant = await it.stores.codehostLinks.grant(id);
    expect(grant && alone.decrypt(grantOwner(id), grant.encryptedToken)).toContain(`grant ${at}`);
    const [repo] = (await it.stores.repos.list(callerOf(id), { limit: 1, cursor: null })).items;
    expect(repo?.accessToken && alone.decrypt(repoOwner(repo), repo.accessToken)).toBe(`token ${at}`);
  }
});

it('binds tokens of an earlier release to their row, whichever key encrypted them', async () => {
  await using it = await filled(3, UNBOUND);
  const cipher = createTokenCipher([older]);
  const store = it.stores.encryptedSecrets;
  const options = { done: [boundUnder(older.id)] };
  expect(await store.encryptedUnderOther([older.id], 9)).toEqual([]);
  expect(await reencryptTokens({ store, cipher }, options)).toEqual({
    codehost_grants: 3,
    repo_access_tokens: 3,
    notification_secrets: 0,
    notification_urls: 0,
    second_factors: 0,
    unreadable: 0,
  });
  expect(await store.encryptedUnderOther(options.done, 9)).toEqual([]);
  const [first = '', second = ''] = it.ids;
  const grant = await it.stores.codehostLinks.grant(first as UserId);
  expect(grant && cipher.decrypt(grantOwner(first), grant.encryptedToken)).toContain('grant 0');
  expect(() => grant && cipher.decrypt(grantOwner(second), grant.encryptedToken)).toThrow();
});

it('counts tokens that it cannot decrypt, and ends however many there are', async () => {
  await using it = await filled(110);
  const without = createTokenCipher([newer]);
  const counts = await reencryptTokens({ store: it.stores.encryptedSecrets, cipher: without }, done);
  expect(counts).toEqual({
    codehost_grants: 0,
    repo_access_tokens: 0,
    notification_secrets: 0,
    notification_urls: 0,
    second_factors: 0,
    unreadable: 220,
  });
});

it('loses no token that is refreshed while it runs', async () => {
  await using it = await filled(30);
  const { codehostLinks, encryptedSecrets } = it.stores;
  const both = createTokenCipher([newer, older]);
  let refreshed = 0;
  // Between what is read and what is written, a server writes a new grant for that user.
  const store: typeof encryptedSecrets = {
    ...encryptedSecrets,
    reencrypt: async (secret, encryptedToken) => {
      if (secret.kind === 'codehost_grant' && refreshed < 10) {
        refreshed += 1;
        const { version = 0 } = (await codehostLinks.grant(secret.userId)) ?? {};
        const fresh = { accessToken: `fresh of ${secret.userId}`, refreshToken: null, expiresAt: null };
        // Half of them by a server that does not know of the new key yet.
        const cipher = refreshed % 2 === 0 ? both : createTokenCipher([older]);
        expect(
          await codehostLinks.replaceGrant(secret.userId, version, encryptGrant(cipher, secret.userId, fresh)),
        ).toBe(true);
      }
      return await encryptedSecrets.reencrypt(secret, encryptedToken);
    },
  };
  const counts = await reencryptTokens({ store, cipher: both }, done);
  expect(counts).toMatchObject({ repo_access_tokens: 30, unreadable: 0 });
  expect(await encryptedSecrets.encryptedUnderOther([boundUnder(newer.id)], 1)).toEqual([]);
  const alone = createTokenCipher([newer]);
  const tokens = await Promise.all(
    it.ids.map(async (id) =>
      alone.decrypt(grantOwner(id), (await codehostLinks.grant(id))?.encryptedToken ?? { encrypted: '', nonce: '' }),
    ),
  );
  expect(tokens.filter((token) => token.includes('fresh of'))).toHaveLength(10);
});
