import { type Limiter, type LimitVerdict, type RateLimitName, rateLimits } from '@sluice/core';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

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
    consume: async (name: RateLimitName, key: string): Promise<LimitVerdict> => {
      const window = windows.get(name);
      if (window === undefined) throw new Error(`There is no rate limit ${name}.`);
      try {
        return verdict(true, await window.consume(key));
      } catch (refusal) {
        // The library rejects with its result, which is no Error; anything else is a fault.
        if (refusal instanceof RateLimiterRes) return verdict(false, refusal);
        throw refusal;
      }
    },
    check: async (signal) => signal.throwIfAborted(),
  };
}

function verdict(allowed: boolean, result: RateLimiterRes): LimitVerdict {
  return { allowed, remaining: result.remainingPoints, resetMs: Math.max(0, result.msBeforeNext) };
}
