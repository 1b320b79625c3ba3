import { describe, expect, it } from 'vitest';
import { aNewUser } from '../builder/a-user.ts';
import { newId } from '../builder/ids.ts';
import { accountContract } from './account.contract.ts';
import { accountLinkContract } from './account-link.contract.ts';
import { deletionContract } from './deletion.contract.ts';
import { failedLoginContract } from './failed-login.contract.ts';
import { operatorContract } from './operator.contract.ts';
import { secondFactorContract } from './second-factor.contract.ts';
import { sessionContract } from './session.contract.ts';
import { atOnce, type OpenStores, registeredUser, tally } from './store-harness.ts';

/** What a `UserStore` and a `SessionStore` promise, on any database. */
export function userStoreContract(name: string, open: OpenStores): void {
  describe(`users on ${name}`, () => {
    it('are written as they were given, their hash kept apart', async () => {
      await using stores = await open();
      const given = aNewUser({ email: 'Ada@Example.test', name: null });
      const user = {
        id: given.id,
        email: 'Ada@Example.test',
        emailVerifiedAt: null,
        name: null,
        avatarUrl: null,
        codehostId: null,
        codehostLogin: null,
        isOperator: true,
        createdAt: stores.clock.now(),
      };
      expect(await stores.users.create(given)).toEqual({ kind: 'created', user });
      expect(await stores.users.get(given.id)).toEqual(user);
      expect(await stores.users.credentials('ada@example.TEST')).toEqual({ user, passwordHash: given.passwordHash });
      expect(await stores.users.get(newId())).toBeNull();
      expect(await stores.users.credentials('nobody@example.test')).toBeNull();
    });

    it('have a unique e-mail in any case, under concurrency', async () => {
      await using stores = await open();
      const spellings = [
        'jürgen@example.test',
        'JÜRGEN@example.test',
        'Jürgen@Example.Test',
        'ju\u0308rgen@example.test',
      ];
      const outcomes = await atOnce(8, (index) => stores.users.create(aNewUser({ email: spellings[index % 4] ?? '' })));
      expect(tally(outcomes)).toEqual({ created: 1, email_taken: 7 });
    });

    it('have one first user under concurrency, after whom registration can close', async () => {
      await using stores = await open();
      const outcomes = await atOnce(8, () => stores.users.create(aNewUser({ onlyIfFirst: true })));
      expect(tally(outcomes)).toEqual({ created: 1, closed: 7 });
      expect(await stores.users.create(aNewUser())).toMatchObject({ kind: 'created' });
    });

    it('can rehash the same password, unless it was changed meanwhile', async () => {
      await using stores = await open();
      const { id } = await registeredUser(stores);
      const before = (await stores.users.passwordHash(id)) ?? '';
      expect(await stores.users.rehash(id, { before: 'another', after: 'stronger' })).toBe(false);
      expect(await stores.users.passwordHash(id)).toBe(before);
      expect(await stores.users.rehash(id, { before, after: 'stronger' })).toBe(true);
      expect(await stores.users.passwordHash(id)).toBe('stronger');
      expect(await stores.users.passwordHash(newId())).toBeNull();
    });
  });

  accountContract(name, open);
  accountLinkContract(name, open);
  deletionContract(name, open);
  operatorContract(name, open);
  failedLoginContract(name, open);
  sessionContract(name, open);
  secondFactorContract(name, open);
}
