import type { EncryptedToken } from '@sluice/core/account';
import type { Repo } from '@sluice/core/repo';
import { describe, expect, it } from 'vitest';
import { newId } from '../builder/ids.ts';
import { anAccount } from './code-host-samples.ts';
import { aTarget } from './notification.contract.ts';
import { anApp, aPasskey } from './second-factor.contract.ts';
import { atOnce, type OpenStores, registeredRepo, registeredUser, startedSession } from './store-harness.ts';

const encryptedUnder = (keyId: string, text: string): EncryptedToken => ({
  encrypted: `${keyId}:${text}`,
  nonce: text,
});

/** What a `EncryptedSecretStore` promises, on any database. */
export function encryptedSecretContract(name: string, open: OpenStores): void {
  describe(`encrypted secrets on ${name}`, () => {
    it('are found when another key encrypts them, in every table', async () => {
      await using stores = await open();
      const user = await registeredUser(stores);
      const grant = encryptedUnder('old', 'grant');
      await stores.codehostLinks.link(user.id, anAccount(), { encryptedToken: grant, expiresAt: null });
      const token = encryptedUnder('old', 'token');
      const repo = await registeredRepo(stores, { accessToken: token });
      await registeredRepo(stores);
      const signing = { id: newId(), encryptedToken: encryptedUnder('old', 'signing') };
      const url = encryptedUnder('old', 'url');
      const target = aTarget(user.id, { url });
      await stores.notifications.createTarget(target, signing);
      const secrets = [
        { kind: 'codehost_grant', id: user.id, userId: user.id, encryptedToken: grant },
        { kind: 'repo_access_token', id: repo.id, userId: repo.userId, encryptedToken: token },
        { kind: 'notification_secret', userId: user.id, ...signing },
        { kind: 'notification_url', id: target.id, userId: user.id, encryptedToken: url },
      ];
      const { encryptedUnderOther } = stores.encryptedSecrets;
      expect(await encryptedUnderOther(['new'], 10)).toEqual(secrets);
      expect(await encryptedUnderOther(['new'], 1)).toEqual(secrets.slice(0, 1));
      expect(await encryptedUnderOther(['old'], 10)).toEqual([]);
      expect(await encryptedUnderOther(['new', 'old'], 10)).toEqual([]);
      expect(await encryptedUnderOther(['new', 'newer'], 10)).toEqual(secrets);
      for (const like of ['ol', 'o%', 'ol_', '', 'old:gr'])
        expect(await encryptedUnderOther([like], 10)).toEqual(secrets);
      await stores.codehostLinks.unlink(user.id, { passwords: true, codehost: true, issuers: [] });
      expect(await encryptedUnderOther(['new'], 10)).toEqual(secrets.slice(1));
    });

    it('are re-encrypted in batches until none is left, and nothing else changes', async () => {
      await using stores = await open();
      const { encryptedSecrets, codehostLinks, repos } = stores;
      const { id } = await registeredUser(stores);
      const expiresAt = stores.clock.now();
      await codehostLinks.link(id, anAccount(), { encryptedToken: encryptedUnder('old', 'grant'), expiresAt });
      await codehostLinks.refuseGrant(id, 1);
      const written: Repo[] = [];
      for (let count = 0; count < 5; count += 1) {
        written.push(await registeredRepo(stores, { accessToken: encryptedUnder('old', `${count}`) }));
      }
      stores.clock.advance(1_000);
      let rounds = 0;
      for (;;) {
        const found = await encryptedSecrets.encryptedUnderOther(['new'], 2);
        if (found.length === 0) break;
        rounds += 1;
        for (const secret of found) {
          expect(await encryptedSecrets.reencrypt(secret, encryptedUnder('new', secret.encryptedToken.nonce))).toBe(
            true,
          );
          expect(await encryptedSecrets.reencrypt(secret, encryptedUnder('newer', ''))).toBe(false);
        }
      }
      expect(rounds).toBe(3);
      const encryptedToken = encryptedUnder('new', 'grant');
      expect(await codehostLinks.grant(id)).toEqual({ encryptedToken, expiresAt, version: 1, refused: true });
      for (const repo of written) {
        const accessToken = encryptedUnder('new', repo.accessToken?.nonce ?? '');
        expect(await repos.get(repo.id)).toEqual({ ...repo, accessToken });
      }
    });

    it('of an authenticator app are found and re-encrypted, and passkeys have none', async () => {
      await using stores = await open();
      const { encryptedSecrets, secondFactors } = stores;
      const { id: userId } = await registeredUser(stores);
      const { id: keep } = await startedSession(stores, userId);
      const ifPasswordHash = (await stores.users.passwordHash(userId)) ?? '';
      for (const factor of [anApp(userId), aPasskey(userId)]) {
        const challenge = { hash: newId(), userId, purpose: factor.kind, passwordDigest: 'd', sessionId: keep };
        const expiresAt = new Date(stores.clock.now().getTime() + 60_000);
        await secondFactors.begin({ ...challenge, toSign: null, expiresAt });
        const change = { userId, keep, ifPasswordHash, challengeHash: challenge.hash, codeHashes: [] };
        expect(await secondFactors.add(factor, change)).toMatchObject({ kind: 'added' });
      }
      const [secret, ...others] = await encryptedSecrets.encryptedUnderOther(['new'], 10);
      expect([secret, others]).toMatchObject([{ kind: 'second_factor', userId }, []]);
      const fresh = encryptedUnder('new', 'app');
      expect(secret && (await encryptedSecrets.reencrypt(secret, fresh))).toBe(true);
      expect(secret && (await encryptedSecrets.reencrypt(secret, encryptedUnder('newer', '')))).toBe(false);
      expect(await encryptedSecrets.encryptedUnderOther(['new'], 10)).toEqual([]);
      const own = await secondFactors.list(userId);
      expect(own.flatMap((one) => (one.kind === 'totp' ? [one.secret] : []))).toEqual([fresh]);
    });

    it('of a notification target are re-encrypted while they are unchanged', async () => {
      await using stores = await open();
      const { id } = await registeredUser(stores);
      const target = aTarget(id, { url: encryptedUnder('new', 'url') });
      await stores.notifications.createTarget(target, { id: newId(), encryptedToken: encryptedUnder('old', 'one') });
      const [secret] = await stores.encryptedSecrets.encryptedUnderOther(['new'], 1);
      if (secret === undefined) throw new Error('the secret was not found');
      const fresh = encryptedUnder('new', 'one');
      expect(await stores.encryptedSecrets.reencrypt(secret, fresh)).toBe(true);
      expect(await stores.encryptedSecrets.reencrypt(secret, encryptedUnder('newer', 'one'))).toBe(false);
      const [now] = await stores.notifications.secrets(target.id);
      expect(now?.encryptedToken).toEqual(fresh);
    });

    it('of the URL of a notification target are re-encrypted while it is unchanged', async () => {
      await using stores = await open();
      const { notifications, encryptedSecrets } = stores;
      const { id } = await registeredUser(stores);
      const target = aTarget(id, { url: encryptedUnder('old', 'url') });
      await notifications.createTarget(target, { id: newId(), encryptedToken: encryptedUnder('new', 'one') });
      const [secret] = await encryptedSecrets.encryptedUnderOther(['new'], 1);
      if (secret === undefined) throw new Error('the URL was not found');
      await notifications.updateTarget(target.id, { url: encryptedUnder('old', 'changed') });
      expect(await encryptedSecrets.reencrypt(secret, encryptedUnder('new', 'url'))).toBe(false);
      const [changed] = await encryptedSecrets.encryptedUnderOther(['new'], 1);
      const url = encryptedUnder('new', 'changed');
      expect(changed && (await encryptedSecrets.reencrypt(changed, url))).toBe(true);
      expect((await notifications.target(target.id))?.url).toEqual(url);
      expect(await encryptedSecrets.encryptedUnderOther(['new'], 9)).toEqual([]);
    });

    it('find a URL in the clear, encrypt it once, and take it for one under no key', async () => {
      await using stores = await open();
      const { notifications, encryptedSecrets } = stores;
      const { id: userId } = await registeredUser(stores);
      const plain = 'https://hooks.example.test/in?a=sealed:1';
      const before = aTarget(userId, { url: plain as unknown as EncryptedToken }); // as an earlier release stored it
      await notifications.createTarget(before, { id: newId(), encryptedToken: encryptedUnder('new', 'one') });
      await notifications.createTarget(aTarget(userId, { channel: 'email', url: null }), null);
      expect((await notifications.target(before.id))?.url).toBe(plain);
      expect(await encryptedSecrets.encryptedUnderOther(['new'], 9)).toEqual([]);
      const secret = { kind: 'notification_url', id: before.id, userId, plain } as const;
      expect(await encryptedSecrets.plain(9)).toEqual([secret]);
      const done = await atOnce(4, (by) => encryptedSecrets.reencrypt(secret, encryptedUnder('new', `${by}`)));
      expect(done.filter(Boolean)).toHaveLength(1);
      expect(await encryptedSecrets.plain(9)).toEqual([]);
      expect((await notifications.target(before.id))?.url).toMatchObject({ encrypted: expect.stringMatching(/^new:/) });
    });

    it('do not overwrite a secret that is written concurrently', async () => {
      await using stores = await open();
      const { encryptedSecrets, codehostLinks, repos } = stores;
      const { id } = await registeredUser(stores);
      await codehostLinks.link(id, anAccount(), { encryptedToken: encryptedUnder('old', 'grant'), expiresAt: null });
      const repo = await registeredRepo(stores, { accessToken: encryptedUnder('old', 'token') });
      const secrets = await encryptedSecrets.encryptedUnderOther(['new'], 10);
      const fresh = encryptedUnder('new', 'fresh');
      await Promise.all([
        ...secrets.map((secret) => encryptedSecrets.reencrypt(secret, encryptedUnder('new', 'stale'))),
        codehostLinks.replaceGrant(id, 1, { encryptedToken: fresh, expiresAt: null }),
        repos.update(repo.id, { accessToken: fresh }),
      ]);
      expect((await codehostLinks.grant(id))?.encryptedToken).toEqual(fresh);
      expect((await repos.get(repo.id))?.accessToken).toEqual(fresh);
    });

    it('are re-encrypted by one of several concurrent callers', async () => {
      await using stores = await open();
      await registeredRepo(stores, { accessToken: encryptedUnder('old', 'token') });
      const [secret] = await stores.encryptedSecrets.encryptedUnderOther(['new'], 1);
      if (secret === undefined) throw new Error('the secret was not found');
      const act = { action: 'installation.keys_rotated', detail: { key: 'new' } } as const;
      const done = await atOnce(4, (by) =>
        stores.encryptedSecrets.reencrypt(secret, encryptedUnder('new', `${by}`), act),
      );
      expect(done.filter(Boolean)).toHaveLength(1);
      const { items } = await stores.audit.listAll({ limit: 9, cursor: null });
      expect(items).toEqual([{ ordinal: 1, userId: null, repoId: null, act, at: stores.clock.now() }]);
    });
  });
}
