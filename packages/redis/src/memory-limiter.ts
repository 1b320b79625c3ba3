import { type Limiter, rateLimits } from '@sluice/core';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { consumeFrom, failedLoginsIn, failedLoginWindow } from './consume-from.ts';

/**
 * Counts requests in this process's memory: one fixed window per limit and key, from its first request. Expired windows
 * are dropped, so the keys of strangers do not accumulate.
 */
export function createMemoryLimiter(): Limiter {
  const windows = new Map(
    Object.entries(rateLimits).map(([name, { points, windowSeconds }]) => [
      name,
      new RateLimiterMemory({ keyPrefix: name, points, duration: windowSeconds }),
    ]),
  );
  return {
    consume: consumeFrom(windows),
    ...failedLoginsIn(new RateLimiterMemory({ ...failedLoginWindow, keyPrefix: 'failed_login' })),
    check: async (signal) => signal.throwIfAborted(),
  };
}
