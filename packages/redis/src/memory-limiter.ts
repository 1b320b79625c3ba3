import { type Limiter, type RateLimits, rateLimits } from '@sluice/core/request';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { consumeFrom, countIn, failedLoginsIn, failedLoginWindow, type LimitWindow } from './consume-from.ts';

/**
 * Counts requests in this process's memory: one fixed window per limit and key, from its first request. Expired windows
 * are dropped, so the keys of strangers do not accumulate.
 *
 * @param limits the default ones unless given
 */
export function createMemoryLimiter(limits: RateLimits = rateLimits): Limiter {
  return {
    ...consumeFrom(limits, (name, bounds) => createMemoryWindow({ ...bounds, keyPrefix: name })),
    ...failedLoginsIn(new RateLimiterMemory({ ...failedLoginWindow, keyPrefix: 'failed_login' })),
    check: async (signal) => signal.throwIfAborted(),
  };
}

/** A window in memory. */
export function createMemoryWindow(options: { keyPrefix: string; points: number; duration: number }): LimitWindow {
  const window = new RateLimiterMemory(options);
  return {
    count: async (key) => ({
      ...(await countIn(window, key)),
      takeBack: async () => {
        const counted = (await window.get(key))?.consumedPoints ?? 0;
        if (counted > 0) await window.reward(key);
      },
    }),
  };
}
