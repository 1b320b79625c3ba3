import { type Limiter, rateLimits } from '@sluice/core';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { consumeFrom } from '../consume-from.ts';
import type { RedisConnections } from './open-redis.ts';

const KEYS = 'sluice:limit';

/**
 * Counts requests in Redis, for all processes together: one fixed window per limit and key, beginning with the first
 * request. While Redis is away each process counts in its own memory: a limit is never dropped.
 */
export function createRedisLimiter(redis: RedisConnections): Limiter {
  const windows = new Map(
    Object.entries(rateLimits).map(([name, { points, windowSeconds }]) => {
      const bounds = { points, duration: windowSeconds };
      const limiter = new RateLimiterRedis({
        ...bounds,
        keyPrefix: `${KEYS}:${name}`,
        storeClient: redis.commands,
        rejectIfRedisNotReady: true,
        insuranceLimiter: new RateLimiterMemory({ ...bounds, keyPrefix: name }),
      });
      return [name, limiter];
    }),
  );
  return { consume: consumeFrom(windows), check: (signal) => redis.check(signal) };
}
