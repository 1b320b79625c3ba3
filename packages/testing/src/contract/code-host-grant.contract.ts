import type { User } from '@sluice/core/account';
import { describe, expect, it } from 'vitest';
import { newId } from '../builder/ids.ts';
import { anAccount, anEncryptedGrant } from './code-host-samples.ts';
import { atOnce, type OpenStores, registeredUser, type StoreHarness } from './store-harness.ts';

const MINUTE_MS = 60_000;

/** What a `CodeHostLinkStore` promises of grants, and of what is good for one use. */
export function codeHostGrantContract(open: OpenStores): void {
  describe('a grant', () => {
    it('is replaced by one of those who refresh it at once', async () => {
      await using stores = await open();
      const { codehostLinks } = stores;
      const { id } = await linkedUser(stores);
      const expiresAt = new Date(stores.clock.now().getTime() + MINUTE_MS);
      const replaced = await atOnce(6, (index) =>
        codehostLinks.replaceGrant(id, 1, anEncryptedGrant(`by ${index}`, { expiresAt })),
      );
      expect(replaced.filter(Boolean)).toHaveLength(1);
      const winner = anEncryptedGrant(`by ${replaced.indexOf(true)}`, { expiresAt });
      expect(await codehostLinks.grant(id)).toEqual({ ...winner, version: 2, refused: false });
    });

    it('is refused in the version that was tried, and accepted again when that version is refreshed', async () => {
      await using stores = await open();
      const { codehostLinks } = stores;
      const { id } = await linkedUser(stores);
      await codehostLinks.refuseGrant(id, 7);
      expect(await codehostLinks.grant(id)).toMatchObject({ refused: false });
      await codehostLinks.refuseGrant(id, 1);
      expect(await codehostLinks.grant(id)).toMatchObject({ refused: true, version: 1 });
      expect(await codehostLinks.replaceGrant(id, 1, anEncryptedGrant('two'))).toBe(true);
      await codehostLinks.refuseGrant(id, 1);
      expect(await codehostLinks.grant(id)).toMatchObject({ ...anEncryptedGrant('two'), refused: false, version: 2 });
    });

    it('that was given up comes back by no refresh of before, also when there is another one now', async () => {
      await using stores = await open();
      const { codehostLinks } = stores;
      const { id } = await linkedUser(stores);
      await codehostLinks.unlink(id, { passwords: true, codehost: true, issuers: [] });
      for (const version of [1, 2])
        expect(await codehostLinks.replaceGrant(id, version, anEncryptedGrant())).toBe(false);
      expect(await codehostLinks.grant(id)).toBeNull();
      await codehostLinks.link(id, anAccount(), anEncryptedGrant('other'));
      expect(await codehostLinks.replaceGrant(id, 1, anEncryptedGrant('late'))).toBe(false);
      expect(await codehostLinks.grant(id)).toMatchObject({ ...anEncryptedGrant('other'), refused: false });
    });

    it('of an unknown user is null, and cannot be refused or replaced', async () => {
      await using stores = await open();
      const id = newId<User['id']>();
      await stores.codehostLinks.refuseGrant(id, 1);
      expect(await stores.codehostLinks.replaceGrant(id, 1, anEncryptedGrant())).toBe(false);
      expect(await stores.codehostLinks.grant(id)).toBeNull();
    });
  });

  describe('a sign-in under way', () => {
    it('is consumed once, however many come back at once', async () => {
      await using stores = await open();
      const { signInFlows, clock } = stores;
      const expiresAt = new Date(clock.now().getTime() + MINUTE_MS);
      await signInFlows.beginFlow({ nonce: 'one', expiresAt });
      await signInFlows.beginFlow({ nonce: 'two', expiresAt });
      const consumed = await atOnce(6, () => signInFlows.consumeFlow('one'));
      expect(consumed.filter(Boolean)).toHaveLength(1);
      expect(await signInFlows.consumeFlow('two')).toBe(true);
      expect(await signInFlows.consumeFlow('three')).toBe(false);
    });

    it('is not consumed after its end, and others are when an old one is cleared away', async () => {
      await using stores = await open();
      const { signInFlows, clock } = stores;
      const expiresAt = new Date(clock.now().getTime() + MINUTE_MS);
      for (const nonce of ['one', 'two']) await signInFlows.beginFlow({ nonce, expiresAt });
      clock.advance(MINUTE_MS);
      expect(await signInFlows.consumeFlow('one')).toBe(false);
      await signInFlows.beginFlow({ nonce: 'three', expiresAt: new Date(clock.now().getTime() + 1) });
      expect(await signInFlows.consumeFlow('two')).toBe(false);
      expect(await signInFlows.consumeFlow('three')).toBe(true);
    });
  });

  describe('a login grant', () => {
    it('is taken once, and before its end', async () => {
      await using stores = await open();
      const { signInFlows, clock } = stores;
      const { id: userId } = await registeredUser(stores);
      const expiresAt = new Date(clock.now().getTime() + MINUTE_MS);
      const provider = { issuer: 'https://id.example.test', sid: 'session-1' };
      const grant = { grantHash: 'one', challenge: 'c', userId, provider, expiresAt };
      await signInFlows.putLoginGrant(grant);
      await signInFlows.putLoginGrant({ ...grant, grantHash: 'two' });
      const taken = await atOnce(6, () => signInFlows.takeLoginGrant('one'));
      expect(taken.filter((one) => one !== null)).toEqual([grant]);
      expect(await signInFlows.takeLoginGrant('none')).toBeNull();
      clock.advance(MINUTE_MS);
      expect(await signInFlows.takeLoginGrant('two')).toBeNull();
    });
  });
}

async function linkedUser(stores: StoreHarness): Promise<User> {
  const { id } = await registeredUser(stores);
  const outcome = await stores.codehostLinks.link(id, anAccount(), anEncryptedGrant());
  if (outcome.kind !== 'linked') throw new Error(`the account was not linked: ${outcome.kind}`);
  return outcome.user;
}
