import { type Limiter, rateLimits } from '@sluice/core';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { consumeFrom, failedLoginsIn, failedLoginWindow } from './consume-from.ts';

/**
 * Counts requests in this process's memory: one fixed window per limit and key, beginning with the first request.
 * Windows that have ended are forgotten by themselves, so strangers' keys do not pile up.
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
