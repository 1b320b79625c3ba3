import { describe, expect, it } from 'vitest';
import { aNewUser } from '../builder/a-user.ts';
import { newId } from '../builder/ids.ts';
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
        name: null,
        avatarUrl: null,
        codehostId: null,
        codehostLogin: null,
        createdAt: stores.clock.now(),
      };
      expect(await stores.users.create(given)).toEqual({ kind: 'created', user });
      expect(await stores.users.get(given.id)).toEqual(user);
      expect(await stores.users.credentials('ada@example.TEST')).toEqual({ user, passwordHash: given.passwordHash });
      expect(await stores.users.get(newId())).toBeNull();
      expect(await stores.users.credentials('nobody@example.test')).toBeNull();
    });

    it('have an e-mail that nobody else has, in whatever case, however many ask at once', async () => {
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

    it('have one first among those who come at once, and the door is closed behind him', async () => {
      await using stores = await open();
      const outcomes = await atOnce(8, () => stores.users.create(aNewUser({ onlyIfFirst: true })));
      expect(tally(outcomes)).toEqual({ created: 1, closed: 7 });
      expect(await stores.users.create(aNewUser())).toMatchObject({ kind: 'created' });
    });

    it('can have their hash replaced', async () => {
      await using stores = await open();
      const { id, email } = await registeredUser(stores);
      await stores.users.setPasswordHash(id, 'stronger');
      expect((await stores.users.credentials(email ?? ''))?.passwordHash).toBe('stronger');
    });
  });

  describe(`sessions on ${name}`, () => {
    const HOUR_MS = 3_600_000;

    it('are found with their user until they expire', async () => {
      await using stores = await open();
      const user = await registeredUser(stores);
      const createdAt = stores.clock.now();
      const expiresAt = new Date(createdAt.getTime() + HOUR_MS);
      const session = await stores.sessions.create({ id: newId(), userId: user.id, expiresAt });
      expect(session).toEqual({ id: session.id, userId: user.id, createdAt, expiresAt });
      stores.clock.advance(HOUR_MS - 1);
      expect(await stores.sessions.find(session.id)).toEqual({ session, user });
      stores.clock.advance(1);
      expect(await stores.sessions.find(session.id)).toBeNull();
      expect(await stores.sessions.revoke(session.id)).toBe(false);
      expect(await stores.sessions.find(newId())).toBeNull();
    });

    it('end when they are revoked, once, and the user’s others live on', async () => {
      await using stores = await open();
      const user = await registeredUser(stores);
      const expiresAt = new Date(stores.clock.now().getTime() + HOUR_MS);
      const begin = () => stores.sessions.create({ id: newId(), userId: user.id, expiresAt });
      const [one, other] = [await begin(), await begin()];
      const revoked = await atOnce(4, () => stores.sessions.revoke(one.id));
      expect(revoked.filter(Boolean)).toHaveLength(1);
      expect(await stores.sessions.find(one.id)).toBeNull();
      expect(await stores.sessions.find(other.id)).not.toBeNull();
    });
  });
}
