import { rateLimits } from '@sluice/core/request';
import { limiterContract } from '@sluice/testing';
import { afterEach, expect, it, vi } from 'vitest';
import { createMemoryLimiter } from '../../src/memory-limiter.ts';

// In a process of its own: it counts the timers of the process, and what another file left running would start some.

afterEach(() => {
  vi.useRealTimers();
});

limiterContract('in process', async (limits) => ({
  limiter: createMemoryLimiter(limits),
  [Symbol.asyncDispose]: async () => undefined,
}));

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

it('gives nothing back to a window that began later', async () => {
  vi.useFakeTimers();
  const limiter = createMemoryLimiter();
  const early = await limiter.consume('login', 'a');
  await vi.advanceTimersByTimeAsync(rateLimits.login.windowSeconds * 1_000 + 1);
  await limiter.consume('login', 'a');
  await early.giveBack();
  expect(await limiter.consume('login', 'a')).toMatchObject({ remaining: rateLimits.login.points - 2 });
});
