import { type Limiter, type RateLimits, rateLimits } from '@sluice/core/request';
import { describe, expect, it } from 'vitest';

interface OpenLimiter extends AsyncDisposable {
  readonly limiter: Limiter;
}

/**
 * The behaviour of every limiter. `open` gives one that has counted nothing, with the default limits unless others are
 * given.
 */
export function limiterContract(name: string, open: (limits?: RateLimits) => Promise<OpenLimiter>): void {
  describe(`the limiter ${name}`, () => {
    it('allows as many requests as the limit has points and refuses the next with the time to wait', async () => {
      await using opened = await open();
      const { points, windowSeconds } = rateLimits.login;
      for (let left = points - 1; left >= 0; left -= 1) {
        expect(await opened.limiter.consume('login', '192.0.2.1')).toMatchObject({ allowed: true, remaining: left });
      }
      const refused = await opened.limiter.consume('login', '192.0.2.1');
      expect(refused).toMatchObject({ allowed: false, remaining: 0 });
      expect(refused.resetMs).toBeGreaterThan(0);
      expect(refused.resetMs).toBeLessThanOrEqual(windowSeconds * 1_000);
    });

    it('counts each key and each limit by itself', async () => {
      await using opened = await open();
      const { limiter } = opened;
      for (let count = 0; count <= rateLimits.login.points; count += 1) await limiter.consume('login', 'a');
      expect((await limiter.consume('login', 'a')).allowed).toBe(false);
      expect((await limiter.consume('login', 'b')).allowed).toBe(true);
      expect((await limiter.consume('register', 'a')).allowed).toBe(true);
    });

    it('accepts any key', async () => {
      await using opened = await open();
      for (const key of ['a:b', 'a b', '*', '\n', 'ключ', '{x}', '__proto__', 'k'.repeat(10_000)]) {
        expect(await opened.limiter.consume('login', key)).toMatchObject({ remaining: rateLimits.login.points - 1 });
      }
    });

    it('never lets two requests of one instant share the last point', async () => {
      await using opened = await open();
      const asked = Array.from({ length: 40 }, () => opened.limiter.consume('create_issue', 'user'));
      const verdicts = await Promise.all(asked);
      expect(verdicts.filter((one) => one.allowed)).toHaveLength(rateLimits.create_issue.points);
    });

    it('has the limits of the operator, and none where one is off', async () => {
      const login = { ...rateLimits.login, points: 2, windowSeconds: 7_200 };
      await using opened = await open({ ...rateLimits, login, register: null });
      const { limiter } = opened;
      expect(limiter.limits.login).toEqual(login);
      for (const remaining of [1, 0]) expect(await limiter.consume('login', 'a')).toMatchObject({ remaining });
      const refused = await limiter.consume('login', 'a');
      expect(refused.allowed).toBe(false);
      expect(refused.resetMs).toBeGreaterThan(rateLimits.login.windowSeconds * 1_000);
      for (let count = 0; count < 20; count += 1) {
        expect(await limiter.consume('register', 'a')).toMatchObject({ allowed: true });
      }
    });

    it('lets requests of one instant pass no more than the limit, though they are given back later', async () => {
      const limits = { ...rateLimits, login: { ...rateLimits.login, counts: 'failures' as const } };
      await using opened = await open(limits);
      const { limiter } = opened;
      const burst = async () => await Promise.all(Array.from({ length: 20 }, () => limiter.consume('login', 'a')));
      const first = (await burst()).filter((one) => one.allowed);
      expect(first).toHaveLength(rateLimits.login.points);
      expect((await limiter.consume('login', 'a')).allowed).toBe(false);
      await Promise.all(first.slice(0, 2).map((one) => one.giveBack()));
      expect((await burst()).filter((one) => one.allowed)).toHaveLength(2);
      expect((await limiter.consume('login', 'a')).allowed).toBe(false);
    });

    it('never counts below nothing, whatever is given back', async () => {
      await using opened = await open();
      const verdict = await opened.limiter.consume('login', 'a');
      for (let count = 0; count < 3; count += 1) await verdict.giveBack();
      expect(await opened.limiter.consume('login', 'a')).toMatchObject({ remaining: rateLimits.login.points - 1 });
    });

    it('counts failed logins by account, and refuses none', async () => {
      await using opened = await open();
      const { limiter } = opened;
      expect(await limiter.failedLogins('ada')).toBe(0);
      await Promise.all(Array.from({ length: 40 }, () => limiter.noteFailedLogin('ada')));
      expect(await limiter.failedLogins('ada')).toBe(40);
      expect(await limiter.failedLogins('eve')).toBe(0);
    });

    it('is reachable as long as the check is not called off', async () => {
      await using opened = await open();
      await expect(opened.limiter.check(new AbortController().signal)).resolves.toBeUndefined();
      await expect(opened.limiter.check(AbortSignal.abort())).rejects.toThrow();
    });
  });
}
