import { rateLimits } from '@sluice/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createMemoryLimiter } from './memory-limiter.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('the limiter in process', () => {
  it('allows as many requests as the limit has points and refuses the next with the time to wait', async () => {
    const limiter = createMemoryLimiter();
    const { points, windowSeconds } = rateLimits.login;
    for (let left = points - 1; left >= 0; left -= 1) {
      expect(await limiter.consume('login', '192.0.2.1')).toMatchObject({ allowed: true, remaining: left });
    }
    const refused = await limiter.consume('login', '192.0.2.1');
    expect(refused).toMatchObject({ allowed: false, remaining: 0 });
    expect(refused.resetMs).toBeGreaterThan(0);
    expect(refused.resetMs).toBeLessThanOrEqual(windowSeconds * 1_000);
  });

  it('counts each key and each limit by itself', async () => {
    const limiter = createMemoryLimiter();
    for (let count = 0; count <= rateLimits.login.points; count += 1) await limiter.consume('login', 'a');
    expect((await limiter.consume('login', 'a')).allowed).toBe(false);
    expect((await limiter.consume('login', 'b')).allowed).toBe(true);
    expect((await limiter.consume('register', 'a')).allowed).toBe(true);
  });

  it('never lets two requests of one instant share the last point', async () => {
    const limiter = createMemoryLimiter();
    const verdicts = await Promise.all(Array.from({ length: 40 }, () => limiter.consume('create_issue', 'user')));
    expect(verdicts.filter((one) => one.allowed)).toHaveLength(rateLimits.create_issue.points);
  });

  it('allows again when the window has ended, and forgets what it counted', async () => {
    vi.useFakeTimers();
    const limiter = createMemoryLimiter();
    for (let count = 0; count <= rateLimits.login.points; count += 1) await limiter.consume('login', 'a');
    expect((await limiter.consume('login', 'a')).allowed).toBe(false);
    await vi.advanceTimersByTimeAsync(rateLimits.login.windowSeconds * 1_000 + 1);
    expect(vi.getTimerCount()).toBe(0);
    expect(await limiter.consume('login', 'a')).toMatchObject({
      allowed: true,
      remaining: rateLimits.login.points - 1,
    });
  });

  it('is reachable as long as the check is not called off', async () => {
    const limiter = createMemoryLimiter();
    await expect(limiter.check(new AbortController().signal)).resolves.toBeUndefined();
    await expect(limiter.check(AbortSignal.abort())).rejects.toThrow();
  });
});
