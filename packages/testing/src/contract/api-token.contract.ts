import { neededOnRepo, type TokenScope } from '@sluice/core/access';
import { MAX_API_TOKENS, type NewApiToken } from '@sluice/core/api-token';
import { auditEntry } from '@sluice/core/audit';
import type { ApiTokenId } from '@sluice/core/id';
import { describe, expect, it } from 'vitest';
import { aNewApiToken } from '../builder/an-api-token.ts';
import { newId } from '../builder/ids.ts';
import { atOnce, type OpenStores, registeredRepo, registeredUser, type StoreHarness, tally } from './store-harness.ts';

const DAY_MS = 86_400_000;
const firstPage = { limit: 100, cursor: null };

/** What an `ApiTokenStore` promises, and what writes by a token check, on any database. */
export function apiTokenContract(name: string, open: OpenStores): void {
  describe(`API tokens on ${name}`, () => {
    const inDays = ({ clock }: StoreHarness, days: number) => new Date(clock.now().getTime() + days * DAY_MS);
    const create = async (stores: StoreHarness, given: Partial<NewApiToken> & Pick<NewApiToken, 'userId'>) => {
      const token = aNewApiToken({ expiresAt: inDays(stores, 1), ...given });
      const outcome = await stores.apiTokens.create(token);
      if (outcome.kind !== 'created') throw new Error(`The token was not created: ${outcome.kind}`);
      return { ...outcome.token, hash: token.hash };
    };

    it('are found by their hash and by their id with their user, whatever has become of both', async () => {
      await using stores = await open();
      const user = await registeredUser(stores);
      const { hash, ...token } = await create(stores, { userId: user.id });
      const found = { token, user, isDisabled: false };
      expect(await stores.apiTokens.find({ hash })).toEqual(found);
      expect(await stores.apiTokens.find({ id: token.id })).toEqual(found);
      expect(await stores.apiTokens.find({ hash: token.id })).toBeNull();
      await stores.users.disable(user.id);
      expect((await stores.apiTokens.find({ hash }))?.isDisabled).toBe(true);
      expect(await stores.apiTokens.revoke(token.id)).toBe(true);
      expect(await stores.apiTokens.revoke(token.id)).toBe(false);
      expect((await stores.apiTokens.find({ hash }))?.token.revokedAt).toEqual(stores.clock.now());
    });

    it('record their use at most as often as they are asked to', async () => {
      await using stores = await open();
      const { id: userId } = await registeredUser(stores);
      const { id } = await create(stores, { userId });
      const used = async () => (await stores.apiTokens.find({ id }))?.token;
      const first = stores.clock.now();
      await stores.apiTokens.touch(id, { unusedSince: new Date(first.getTime() - 60_000), client: 'curl' });
      expect(await used()).toMatchObject({ lastUsedAt: first, lastClient: 'curl' });
      stores.clock.advance(30_000);
      await stores.apiTokens.touch(id, { unusedSince: new Date(first.getTime() - 30_000), client: 'other' });
      expect(await used()).toMatchObject({ lastUsedAt: first, lastClient: 'curl' });
    });

    it('are listed newest first, of a user, of a repository and all, without those that were revoked', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      const other = await registeredUser(stores);
      const whole = await create(stores, { userId: repo.userId });
      const ofRepo = await create(stores, { userId: other.id, repoId: repo.id });
      const revoked = await create(stores, { userId: other.id, repoId: repo.id });
      await stores.apiTokens.revoke(revoked.id);
      const ids = async (of: Parameters<typeof stores.apiTokens.list>[0]) =>
        (await stores.apiTokens.list(of, firstPage)).items.map(({ token }) => token.id);
      expect(await ids('all')).toEqual([ofRepo.id, whole.id]);
      expect(await ids({ userId: repo.userId })).toEqual([whole.id]);
      expect(await ids({ repoId: repo.id })).toEqual([ofRepo.id]);
      const first = await stores.apiTokens.list('all', { limit: 1, cursor: null });
      const next = await stores.apiTokens.list('all', { limit: 1, cursor: first.nextCursor });
      expect(next).toMatchObject({ items: [{ owner: { id: repo.userId } }], nextCursor: null });
      expect(JSON.stringify([first, next])).not.toContain(ofRepo.hash);
    });

    it('are at most so many of one user, also when they are created at once', async () => {
      await using stores = await open();
      const { id: userId } = await registeredUser(stores);
      const expiresAt = inDays(stores, 1);
      for (let made = 0; made < MAX_API_TOKENS - 2; made += 1) await create(stores, { userId });
      const outcomes = await atOnce(6, () => stores.apiTokens.create(aNewApiToken({ userId, expiresAt })));
      expect(tally(outcomes)).toEqual({ created: 2, full: 4 });
      stores.clock.advance(DAY_MS);
      expect((await create(stores, { userId })).userId).toBe(userId); // the others have expired
      await stores.users.disable(userId);
      expect(await stores.apiTokens.create(aNewApiToken({ userId, expiresAt }))).toEqual({ kind: 'disabled' });
      expect(await stores.apiTokens.create(aNewApiToken({ userId: newId(), expiresAt }))).toEqual({ kind: 'disabled' });
    });

    it('go with their repository, and some time after their end', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      const { id: userId } = await registeredUser(stores);
      const ofRepo = await create(stores, { userId, repoId: repo.id });
      const [lasting, expired, revoked] = [
        await create(stores, { userId, expiresAt: inDays(stores, 99) }),
        await create(stores, { userId }),
        await create(stores, { userId, expiresAt: inDays(stores, 99) }),
      ];
      await stores.apiTokens.revoke(revoked.id);
      await stores.repos.remove(repo.id);
      const exists = async ({ id }: { id: ApiTokenId }) => (await stores.apiTokens.find({ id })) !== null;
      const left = async () => [await exists(lasting), await exists(expired), await exists(revoked)];
      expect(await exists(ofRepo)).toBe(false);
      const clear = () => stores.maintenance.clearExpired({ before: stores.clock.now(), limit: 100 });
      stores.clock.advance(30 * DAY_MS + 1);
      await clear();
      expect(await left()).toEqual([true, true, false]);
      stores.clock.advance(2 * DAY_MS);
      await clear();
      expect(await left()).toEqual([true, false, false]);
    });

    it('write only while they are live, within their scope and their repository', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      const other = await registeredRepo(stores);
      const userId = repo.userId;
      const { id: member } = await registeredUser(stores);
      const put = async ({ id: tokenId }: { readonly id: ApiTokenId }) => {
        const by = { userId, actor: { kind: 'user', sessionId: null, tokenId } } as const;
        const detail = { user_id: member, role: 'viewer' } as const;
        const act = { action: 'repo.member_put', subjectId: repo.id, detail } as const;
        const audit = auditEntry(by, act, neededOnRepo('contribute', repo));
        return await stores.members
          .put({ repoId: repo.id, userId: member, role: 'viewer', origin: 'added' }, audit)
          .then(
            ({ kind }) => kind,
            (error: { code?: string }) => error.code,
          );
      };
      const of = (scope: TokenScope, repoId: NewApiToken['repoId'] = null) => create(stores, { userId, scope, repoId });
      expect(await put(await of('write'))).toBe('put');
      expect(await put(await of('admin', repo.id))).toBe('put');
      expect(await put(await of('read'))).toBe('token_scope_insufficient');
      expect(await put(await of('admin', other.id))).toBe('not_owner');
      expect(await put({ id: newId() })).toBe('token_invalid');
      const revoked = await of('admin');
      await stores.apiTokens.revoke(revoked.id);
      expect(await put(revoked)).toBe('token_invalid');
      const old = await of('admin');
      stores.clock.advance(DAY_MS);
      expect(await put(old)).toBe('token_invalid');
      const { items } = await stores.audit.list(userId, firstPage);
      expect(items.map(({ actor }) => actor)).toMatchObject([{ kind: 'user', tokenId: expect.any(String) }, {}]);
    });
  });
}
