import type { SessionId } from '@sluice/core/id';
import { describe, expect, it } from 'vitest';
import { newId } from '../builder/ids.ts';
import { atOnce, type OpenStores, registeredUser, startedSession } from './store-harness.ts';

/** What a `SessionStore` promises, on any database. */
export function sessionContract(name: string, open: OpenStores): void {
  describe(`sessions on ${name}`, () => {
    const HOUR_MS = 3_600_000;

    it('are found with their user until they expire', async () => {
      await using stores = await open();
      const user = await registeredUser(stores);
      const createdAt = stores.clock.now();
      const expiresAt = new Date(createdAt.getTime() + HOUR_MS);
      const client = 'Firefox on Linux';
      const seen = { lastSeenAt: createdAt, idleEndsAt: null, mustEnroll: false, oidcIssuer: null };
      const session = { id: newId<SessionId>(), userId: user.id, createdAt, expiresAt, client, ...seen };
      expect(await stores.sessions.create({ id: session.id, userId: user.id, expiresAt, client })).toEqual(session);
      stores.clock.advance(HOUR_MS - 1);
      expect(await stores.sessions.find(session.id)).toEqual({ session, user });
      stores.clock.advance(1);
      expect(await stores.sessions.find(session.id)).toBeNull();
      expect(await stores.sessions.revoke(session.id)).toBe(false);
      expect(await stores.sessions.find(newId())).toBeNull();
    });

    it('end when idle, and stay valid while used', async () => {
      await using stores = await open();
      const { sessions, clock } = stores;
      const { id: userId } = await registeredUser(stores);
      const begun = clock.now().getTime();
      const at = (ms: number) => new Date(begun + ms);
      const start = async (idleEndsAt: Date | null) => {
        const id = newId<SessionId>();
        await sessions.create({ id, userId, expiresAt: at(HOUR_MS), idleEndsAt });
        return id;
      };
      const [used, alone, patient] = [await start(at(1_000)), await start(at(1_000)), await start(null)];
      clock.advance(999);
      await sessions.touch(used, { unseenSince: at(999), idleEndsAt: at(1_999) });
      expect((await sessions.find(used))?.session).toMatchObject({ lastSeenAt: at(999), idleEndsAt: at(1_999) });
      expect((await sessions.find(alone))?.session).toMatchObject({ lastSeenAt: at(0), idleEndsAt: at(1_000) });
      clock.advance(1);
      expect(await sessions.find(alone)).toBeNull();
      expect(await sessions.revoke(alone)).toBe(false);
      // Nothing brings it back.
      await sessions.touch(alone, { unseenSince: at(1_000), idleEndsAt: at(HOUR_MS) });
      expect(await sessions.find(alone)).toBeNull();
      const { items } = await sessions.list(userId, { limit: 9, cursor: null });
      expect(items.map(({ id }) => id).toSorted()).toEqual([used, patient].toSorted());
      expect((await stores.users.account(userId))?.liveSessions).toBe(2);
      clock.advance(1_000);
      expect((await sessions.revokeAll(userId)).toSorted()).toEqual([patient]);
    });

    it('record their last use once under concurrency, and not again within the interval', async () => {
      await using stores = await open();
      const { sessions, clock } = stores;
      const { id } = await startedSession(stores, (await registeredUser(stores)).id);
      const lastSeenAt = async () => (await sessions.find(id))?.session.lastSeenAt;
      const started = clock.now();
      clock.advance(1_000);
      await sessions.touch(id, { unseenSince: started, idleEndsAt: null });
      expect(await lastSeenAt()).toEqual(started);
      const idleEnds = (n: number) => new Date(clock.now().getTime() + HOUR_MS + n);
      await atOnce(4, (n) => sessions.touch(id, { unseenSince: clock.now(), idleEndsAt: idleEnds(n) }));
      expect(await lastSeenAt()).toEqual(clock.now());
      const { idleEndsAt } = (await sessions.find(id))?.session ?? {};
      await sessions.touch(id, { unseenSince: clock.now(), idleEndsAt: idleEnds(9) });
      expect((await sessions.find(id))?.session.idleEndsAt).toEqual(idleEndsAt);
    });

    it('end when they are revoked, once, and the user’s others live on', async () => {
      await using stores = await open();
      const { id } = await registeredUser(stores);
      const [one, other] = [await startedSession(stores, id), await startedSession(stores, id)];
      const revoked = await atOnce(4, () => stores.sessions.revoke(one.id));
      expect(revoked.filter(Boolean)).toHaveLength(1);
      expect(await stores.sessions.find(one.id)).toBeNull();
      expect(await stores.sessions.find(other.id)).not.toBeNull();
    });

    it('are listed newest first, in pages, the live ones of their own user alone', async () => {
      await using stores = await open();
      const { id } = await registeredUser(stores);
      await startedSession(stores, (await registeredUser(stores)).id);
      const old = await startedSession(stores, id);
      stores.clock.advance(HOUR_MS);
      const started = [];
      for (let count = 0; count < 5; count += 1) {
        stores.clock.advance(1_000);
        started.push(await startedSession(stores, id));
      }
      const [revoked] = started.splice(1, 1);
      await stores.sessions.revoke(revoked?.id ?? old.id);
      const first = await stores.sessions.list(id, { limit: 3, cursor: null });
      const second = await stores.sessions.list(id, { limit: 3, cursor: first.nextCursor });
      const byId = started.toSorted((a, b) => (a.id < b.id ? 1 : -1));
      expect([...first.items, ...second.items]).toEqual(byId);
      expect([first.items.length, second.nextCursor]).toEqual([3, null]);
      for (const cursor of ['x', `${first.nextCursor}A`, Buffer.from(`users:${old.id}`).toString('base64url')]) {
        await expect(stores.sessions.list(id, { limit: 3, cursor })).rejects.toMatchObject({ code: 'cursor_invalid' });
      }
    });

    it('can all be ended at once', async () => {
      await using stores = await open();
      const { id } = await registeredUser(stores);
      const [one, two] = [await startedSession(stores, id), await startedSession(stores, id)];
      const others = await startedSession(stores, (await registeredUser(stores)).id);
      expect((await stores.sessions.revokeAll(id)).toSorted()).toEqual([one.id, two.id].toSorted());
      expect(await stores.sessions.revokeAll(id)).toEqual([]);
      expect(await stores.sessions.find(one.id)).toBeNull();
      expect(await stores.sessions.find(others.id)).not.toBeNull();
    });

    it('do not begin with a replaced password', async () => {
      await using stores = await open();
      const { id } = await registeredUser(stores);
      const ifPasswordHash = (await stores.users.passwordHash(id)) ?? '';
      const expiresAt = new Date(stores.clock.now().getTime() + HOUR_MS);
      const begin = () => stores.sessions.create({ id: newId(), userId: id, expiresAt, ifPasswordHash });
      expect(await begin()).not.toBeNull();
      await stores.users.changeAccount(id, { passwordHash: 'another', keep: null });
      expect(await begin()).toBeNull();
      expect(await stores.sessions.create({ id: newId(), userId: newId(), expiresAt })).toBeNull();
    });

    it('that race with a new password are ended by it, or do not begin', async () => {
      await using stores = await open();
      for (let round = 0; round < 10; round += 1) {
        const { id } = await registeredUser(stores);
        const ifPasswordHash = (await stores.users.passwordHash(id)) ?? '';
        const expiresAt = new Date(stores.clock.now().getTime() + HOUR_MS);
        const begin = () => stores.sessions.create({ id: newId(), userId: id, expiresAt, ifPasswordHash });
        const changing = () => stores.users.changeAccount(id, { passwordHash: `new ${round}`, keep: null });
        await Promise.all(round % 2 === 0 ? [begin(), begin(), changing(), begin()] : [changing(), begin(), begin()]);
        expect((await stores.sessions.list(id, { limit: 9, cursor: null })).items).toEqual([]);
      }
    });
  });
}
