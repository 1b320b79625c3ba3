import { type Limiter, rateLimits } from '@sluice/core';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { consumeFrom, failedLoginsIn, failedLoginWindow } from './consume-from.ts';
import type { RedisConnections } from './open-redis.ts';

const KEYS = 'sluice:limit';

/**
 * Counts requests of all processes in Redis: one fixed window per limit and key, from its first request. While Redis is
 * away each process counts in memory: a limit is never dropped.
 */
export function createRedisLimiter(redis: RedisConnections): Limiter {
  const windowOf = (name: string, bounds: { points: number; duration: number }) =>
    new RateLimiterRedis({
      ...bounds,
      keyPrefix: `${KEYS}:${name}`,
      storeClient: redis.commands,
      rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory({ ...bounds, keyPrefix: name }),
    });
  const windows = new Map(
    Object.entries(rateLimits).map(([name, { points, windowSeconds }]) => [
      name,
      windowOf(name, { points, duration: windowSeconds }),
    ]),
  );
  return {
    consume: consumeFrom(windows),
    ...failedLoginsIn(windowOf('failed_login', failedLoginWindow)),
    check: (signal) => redis.check(signal),
  };
}
