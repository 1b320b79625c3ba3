import {
  CHALLENGE_ATTEMPTS,
  type Challenge,
  CODE_ATTEMPTS,
  CODE_WINDOW_MS,
  type FactorUse,
  type NewSecondFactor,
} from '@sluice/core/account';
import type { SessionId, UserId } from '@sluice/core/id';
import { describe, expect, it } from 'vitest';
import { newId } from '../builder/ids.ts';
import { atOnce, type OpenStores, registeredUser, type StoreHarness, startedSession, tally } from './store-harness.ts';

const LIFE_MS = 300_000;

export function aPasskey(userId: UserId, counter = 0): NewSecondFactor {
  const id = newId();
  const key = { credentialId: `credential ${id}`, publicKey: 'key', counter, transports: ['usb', 'nfc'] };
  return { kind: 'passkey', id, userId, name: 'Key', ...key };
}

export function anApp(userId: UserId, lastStep = 100): NewSecondFactor {
  return { kind: 'totp', id: newId(), userId, name: 'Phone', secret: { encrypted: 'old:app', nonce: 'n' }, lastStep };
}

/** What a `SecondFactorStore` promises, and a `SessionStore` about second factors, on any database. */
export function secondFactorContract(name: string, open: OpenStores): void {
  const challengeOf = (stores: StoreHarness, userId: UserId, overrides: Partial<Challenge> = {}): Challenge => ({
    hash: newId(),
    userId,
    purpose: 'login',
    passwordDigest: 'digest',
    sessionId: null,
    toSign: null,
    expiresAt: new Date(stores.clock.now().getTime() + LIFE_MS),
    ...overrides,
  });
  const begun = async (stores: StoreHarness, userId: UserId, overrides: Partial<Challenge> = {}) => {
    const challenge = challengeOf(stores, userId, overrides);
    await stores.secondFactors.begin(challenge);
    return challenge.hash;
  };
  const hashOf = async ({ users }: StoreHarness, userId: UserId) => (await users.passwordHash(userId)) ?? '';
  /** Adds a factor in the session that is kept. */
  const add = async (
    stores: StoreHarness,
    factor: NewSecondFactor,
    { keep, codeHashes = ['one', 'two'] }: { keep: SessionId; codeHashes?: readonly string[] },
  ) => {
    const { userId, kind } = factor;
    const challengeHash = await begun(stores, userId, { purpose: kind, sessionId: keep });
    const change = { userId, keep, challengeHash, codeHashes, ifPasswordHash: await hashOf(stores, userId) };
    return await stores.secondFactors.add(factor, change);
  };
  const enrolled = async (stores: StoreHarness, make: (userId: UserId) => NewSecondFactor) => {
    const { id: userId } = await registeredUser(stores);
    const { id: keep } = await startedSession(stores, userId);
    const factor = make(userId);
    await add(stores, factor, { keep });
    return { userId, keep, factor, change: { userId, keep, ifPasswordHash: await hashOf(stores, userId) } };
  };
  const logIn = async (stores: StoreHarness, userId: UserId, used?: { challengeHash: string; use: FactorUse }) => {
    const expiresAt = new Date(stores.clock.now().getTime() + 10 * LIFE_MS);
    const session = { id: newId<SessionId>(), userId, expiresAt, ifPasswordHash: await hashOf(stores, userId) };
    return await stores.sessions.create({ ...session, secondFactor: used });
  };

  describe(`second factors on ${name}`, () => {
    it('are added with recovery codes for the first one, and end every other session', async () => {
      await using stores = await open();
      const { id: userId } = await registeredUser(stores);
      const [{ id: keep }, other] = [await startedSession(stores, userId), await startedSession(stores, userId)];
      const [passkey, app] = [aPasskey(userId), anApp(userId)];
      const createdAt = stores.clock.now();
      expect(await add(stores, passkey, { keep })).toEqual({
        kind: 'added',
        factor: { ...passkey, createdAt, lastUsedAt: null },
        hasNewCodes: true,
        endedSessions: [other.id],
      });
      stores.clock.advance(1_000);
      expect(await add(stores, app, { keep, codeHashes: ['three'] })).toMatchObject({ hasNewCodes: false });
      expect((await stores.secondFactors.list(userId)).map(({ id }) => id)).toEqual([passkey.id, app.id]);
      expect(await stores.secondFactors.recoveryCodesLeft(userId)).toBe(2);
      expect(await stores.secondFactors.hasRecoveryCode(userId, 'two')).toBe(true);
      expect(await stores.secondFactors.hasRecoveryCode(userId, 'three')).toBe(false);
    });

    it('are not added twice, beyond their number, after a change of the password, or by another enrollment', async () => {
      await using stores = await open();
      const { userId, keep, factor, change } = await enrolled(stores, aPasskey);
      expect(await add(stores, { ...factor, id: newId() }, { keep })).toEqual({ kind: 'taken' });
      await add(stores, anApp(userId), { keep });
      await add(stores, anApp(userId), { keep });
      expect(await add(stores, anApp(userId), { keep })).toEqual({ kind: 'full' });
      for (let count = 3; count < 10; count += 1) await add(stores, aPasskey(userId), { keep });
      expect(await add(stores, aPasskey(userId), { keep })).toEqual({ kind: 'full' });
      await stores.secondFactors.remove(factor.id, { ...change, keepLast: true });
      const codeHashes: string[] = [];
      const foreign = [{ purpose: 'login' }, { purpose: 'totp' }, { sessionId: newId<SessionId>() }] as const;
      for (const overrides of foreign) {
        const challengeHash = await begun(stores, userId, { purpose: 'passkey', sessionId: keep, ...overrides });
        const tried = await stores.secondFactors.add(aPasskey(userId), { ...change, challengeHash, codeHashes });
        expect(tried, JSON.stringify(overrides)).toEqual({ kind: 'stale' });
      }
      const challengeHash = await begun(stores, userId, { purpose: 'passkey', sessionId: keep });
      await stores.users.changeAccount(userId, { passwordHash: 'new', keep });
      expect(await stores.secondFactors.add(aPasskey(userId), { ...change, challengeHash, codeHashes })).toEqual({
        kind: 'stale',
      });
    });

    it('are renamed and removed by their user alone, with the recovery codes when the last one goes', async () => {
      await using stores = await open();
      const { secondFactors } = stores;
      const { userId, keep, factor, change } = await enrolled(stores, aPasskey);
      const stranger = await registeredUser(stores);
      expect(await secondFactors.rename(stranger.id, { id: factor.id, name: 'Mine' })).toBeNull();
      expect(await secondFactors.rename(userId, { id: factor.id, name: 'Blue key' })).toMatchObject({
        name: 'Blue key',
      });
      const ofStranger = { ...change, userId: stranger.id, ifPasswordHash: await hashOf(stores, stranger.id) };
      expect(await secondFactors.remove(factor.id, { ...ofStranger, keepLast: false })).toEqual({ kind: 'absent' });
      expect(await secondFactors.remove(factor.id, { ...change, keepLast: true })).toEqual({ kind: 'last' });
      const { id: other } = await startedSession(stores, userId);
      expect(await secondFactors.replaceRecoveryCodes(['new'], change)).toEqual({
        kind: 'replaced',
        endedSessions: [other],
      });
      expect(await secondFactors.hasRecoveryCode(userId, 'one')).toBe(false);
      const changed = { ...change, ifPasswordHash: 'another' };
      expect(await secondFactors.remove(factor.id, { ...changed, keepLast: false })).toEqual({ kind: 'stale' });
      expect(await secondFactors.replaceRecoveryCodes([], changed)).toEqual({ kind: 'stale' });
      expect(await secondFactors.remove(factor.id, { ...change, keepLast: false })).toMatchObject({ kind: 'removed' });
      expect(await secondFactors.recoveryCodesLeft(userId)).toBe(0);
      expect(await secondFactors.replaceRecoveryCodes(['x'], change)).toEqual({ kind: 'absent' });
      expect((await stores.sessions.find(keep))?.session.id).toBe(keep);
    });

    it('of two removals at once leave the last one where one is required', async () => {
      await using stores = await open();
      const { userId, keep, factor, change } = await enrolled(stores, aPasskey);
      const second = aPasskey(userId);
      await add(stores, second, { keep });
      const outcomes = await atOnce(2, (at) =>
        stores.secondFactors.remove([factor.id, second.id][at] ?? '', { ...change, keepLast: true }),
      );
      expect(tally(outcomes)).toEqual({ removed: 1, last: 1 });
    });

    it('are all removed by an operator, with codes, open logins and sessions', async () => {
      await using stores = await open();
      const { userId, keep } = await enrolled(stores, anApp);
      const hash = await begun(stores, userId);
      expect(await stores.secondFactors.removeAll(userId)).toEqual([keep]);
      expect(await stores.secondFactors.list(userId)).toEqual([]);
      expect(await stores.secondFactors.recoveryCodesLeft(userId)).toBe(0);
      expect(await stores.secondFactors.attempt(hash, false)).toEqual({ kind: 'void' });
      expect(await logIn(stores, userId)).not.toBeNull();
    });
  });

  describe(`a login with a second factor on ${name}`, () => {
    it('opens no session by the password alone', async () => {
      await using stores = await open();
      const { userId } = await enrolled(stores, anApp);
      expect(await logIn(stores, userId)).toBeNull();
      // A sign-in at a provider is that provider's to protect.
      const expiresAt = new Date(stores.clock.now().getTime() + LIFE_MS);
      expect(await stores.sessions.create({ id: newId(), userId, expiresAt })).not.toBeNull();
    });

    it('opens one session for one challenge, of many that finish it at once', async () => {
      await using stores = await open();
      const { userId, factor } = await enrolled(stores, (id) => aPasskey(id, 7));
      const challengeHash = await begun(stores, userId);
      const sessions = await atOnce(8, (at) =>
        logIn(stores, userId, { challengeHash, use: { kind: 'passkey', factorId: factor.id, counter: 8 + at } }),
      );
      expect(sessions.filter((one) => one !== null)).toHaveLength(1);
    });

    it('takes a step, a counter and a recovery code once, in however many logins', async () => {
      await using stores = await open();
      const { userId, keep, factor } = await enrolled(stores, (id) => anApp(id, 100));
      const [counting, silent] = [aPasskey(userId, 7), aPasskey(userId, 0)];
      await add(stores, counting, { keep });
      await add(stores, silent, { keep });
      const opened = async (use: FactorUse) => {
        const hashes = await atOnce(4, () => begun(stores, userId));
        const tries = await atOnce(4, (at) => logIn(stores, userId, { challengeHash: hashes[at] ?? '', use }));
        return tries.filter((one) => one !== null).length;
      };
      expect(await opened({ kind: 'totp', factorId: factor.id, step: 101 })).toBe(1);
      expect(await opened({ kind: 'totp', factorId: factor.id, step: 100 })).toBe(0);
      expect(await opened({ kind: 'passkey', factorId: counting.id, counter: 8 })).toBe(1);
      expect(await opened({ kind: 'passkey', factorId: counting.id, counter: 0 })).toBe(0);
      expect(await opened({ kind: 'passkey', factorId: silent.id, counter: 0 })).toBe(4); // it does not count
      expect(await opened({ kind: 'recovery_code', codeHash: 'one' })).toBe(1);
      expect(await stores.secondFactors.recoveryCodesLeft(userId)).toBe(1);
      const used = (await stores.secondFactors.list(userId)).map(({ lastUsedAt }) => lastUsedAt);
      expect(used).toEqual([stores.clock.now(), stores.clock.now(), stores.clock.now()]);
    });

    it('takes no factor, code or challenge of another user', async () => {
      await using stores = await open();
      const ada = await enrolled(stores, (id) => aPasskey(id, 7));
      const bob = await enrolled(stores, (id) => aPasskey(id, 7));
      const use: FactorUse = { kind: 'passkey', factorId: bob.factor.id, counter: 9 };
      expect(await logIn(stores, ada.userId, { challengeHash: await begun(stores, ada.userId), use })).toBeNull();
      expect(await logIn(stores, bob.userId, { challengeHash: await begun(stores, ada.userId), use })).toBeNull();
      expect(await logIn(stores, bob.userId, { challengeHash: await begun(stores, bob.userId), use })).not.toBeNull();
    });

    it('is void when it expired, was attempted too often, or its user is disabled', async () => {
      await using stores = await open();
      const { secondFactors, clock } = stores;
      const { userId } = await enrolled(stores, anApp);
      const hash = await begun(stores, userId);
      const tries = await atOnce(CHALLENGE_ATTEMPTS + 3, () => secondFactors.attempt(hash, false));
      expect(tally(tries)).toEqual({ counted: CHALLENGE_ATTEMPTS, void: 3 });
      const other = challengeOf(stores, userId);
      await secondFactors.begin(other);
      expect(await secondFactors.attempt(other.hash, true)).toEqual({ kind: 'counted', challenge: other });
      clock.advance(LIFE_MS);
      expect(await secondFactors.attempt(other.hash, true)).toEqual({ kind: 'void' });
      const use: FactorUse = { kind: 'recovery_code', codeHash: 'one' };
      expect(await logIn(stores, userId, { challengeHash: other.hash, use })).toBeNull();
      const last = await begun(stores, userId);
      await stores.users.disable(userId);
      expect(await secondFactors.attempt(last, false)).toEqual({ kind: 'void' });
      expect(await secondFactors.attempt('unknown', false)).toEqual({ kind: 'void' });
    });

    it('takes ten wrong codes an hour at one account, whatever their logins, and then passkeys only', async () => {
      await using stores = await open();
      const { secondFactors, clock } = stores;
      const { userId } = await enrolled(stores, anApp);
      const start = clock.now().getTime();
      const hashes = await atOnce(4, () => begun(stores, userId));
      const tries = await atOnce(16, (at) => secondFactors.attempt(hashes[at % 4] ?? '', true));
      expect(tally(tries)).toEqual({ counted: CODE_ATTEMPTS, paused: 16 - CODE_ATTEMPTS });
      clock.advance(CODE_WINDOW_MS - 1);
      await stores.maintenance.clearExpired({ before: clock.now(), limit: 100 });
      const late = await begun(stores, userId);
      expect(await secondFactors.attempt(late, true)).toEqual({
        kind: 'paused',
        until: new Date(start + CODE_WINDOW_MS),
      });
      expect(await secondFactors.attempt(late, false)).toMatchObject({ kind: 'counted' });
      clock.advance(1);
      expect(await secondFactors.attempt(late, true)).toMatchObject({ kind: 'counted' });
      // Kept as long as they count, then deleted.
      clock.advance(2 * CODE_WINDOW_MS);
      await stores.maintenance.clearExpired({ before: clock.now(), limit: 100 });
      expect(await secondFactors.attempt(late, false)).toEqual({ kind: 'void' });
    });

    it('may only enroll where a factor is required, until one is there', async () => {
      await using stores = await open();
      const { id: userId } = await registeredUser(stores);
      const session = { id: newId<SessionId>(), userId, expiresAt: new Date(stores.clock.now().getTime() + LIFE_MS) };
      await stores.sessions.create({ ...session, mustEnroll: true });
      expect((await stores.sessions.find(session.id))?.session.mustEnroll).toBe(true);
      await add(stores, anApp(userId), { keep: session.id });
      expect((await stores.sessions.find(session.id))?.session.mustEnroll).toBe(false);
    });

    it('leaves no window for the password alone while a factor is enrolled', async () => {
      await using stores = await open();
      const { id: userId } = await registeredUser(stores);
      const { id: keep } = await startedSession(stores, userId);
      const [outcome, ...sessions] = await Promise.all([
        add(stores, anApp(userId), { keep }),
        ...Array.from({ length: 6 }, () => logIn(stores, userId)),
      ]);
      expect(outcome.kind).toBe('added');
      for (const session of sessions) {
        if (session !== null) expect(await stores.sessions.find(session.id)).toBeNull(); // ended by the enrollment
      }
    });
  });
}
