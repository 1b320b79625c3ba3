import { type Limiter, type RateLimits, rateLimits } from '@sluice/core/request';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { consumeFrom, countIn, failedLoginsIn, failedLoginWindow, type LimitWindow } from './consume-from.ts';
import { createMemoryWindow } from './memory-limiter.ts';
import type { RedisConnections } from './open-redis.ts';

const KEYS = 'sluice:limit';

/** Takes one out of a count, which keeps its end. A count that is over is not begun again. */
const TAKE_BACK = "if tonumber(redis.call('get', KEYS[1]) or '0') > 0 then redis.call('decr', KEYS[1]) end";

/**
 * Counts requests of all processes in Redis: one fixed window per limit and key, from its first request. While Redis is
 * away each process counts in memory: a limit is never dropped.
 *
 * @param limits the default ones unless given; the same for all processes
 */
export function createRedisLimiter(redis: RedisConnections, limits: RateLimits = rateLimits): Limiter {
  return {
    ...consumeFrom(limits, (name, bounds) => createRedisWindow(redis, { ...bounds, keyPrefix: `${KEYS}:${name}` })),
    ...failedLoginsIn(
      new RateLimiterRedis({
        ...shared(redis, { ...failedLoginWindow, keyPrefix: `${KEYS}:failed_login` }),
        insuranceLimiter: new RateLimiterMemory({ ...failedLoginWindow, keyPrefix: 'failed_login' }),
      }),
    ),
    check: (signal) => redis.check(signal),
  };
}

interface WindowOptions {
  readonly keyPrefix: string;
  readonly points: number;
  readonly duration: number;
}

/** Not with the library's fallback to memory: it does not tell where it counted, and a request is taken back there. */
function createRedisWindow(redis: RedisConnections, options: WindowOptions): LimitWindow {
  const window = new RateLimiterRedis(shared(redis, options));
  const memory = createMemoryWindow(options);
  return {
    count: async (key) => {
      const counted = await countIn(window, key).catch(() => null);
      if (counted === null) return await memory.count(key);
      const takeBack = async () => void (await redis.commands.eval(TAKE_BACK, 1, `${options.keyPrefix}:${key}`));
      return { ...counted, takeBack };
    },
  };
}

function shared(redis: RedisConnections, options: WindowOptions) {
  return { ...options, storeClient: redis.commands, rejectIfRedisNotReady: true };
}
