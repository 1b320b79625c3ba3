import type { Signals } from '@sluice/core/issue';
import type { Limiter } from '@sluice/core/request';
import {
  createMemoryLimiter,
  createPolledSignals,
  createProcessSignals,
  createRedisLimiter,
  createRedisSignals,
  openRedis,
} from '@sluice/redis';
import type { Logger } from 'pino';
import type { Config } from '../config/parse-config.ts';

/** Limits and signals. */
export interface Cache {
  readonly signals: Signals;
  readonly limiter: Limiter;
  close(): Promise<void>;
}

/** Opens the cache: in this process, or in a Redis that several share. */
export function openCache(config: Config, log: Logger): Cache {
  const local = createProcessSignals((error) => log.error({ err: error }, 'a listener of signals threw'));
  if (config.redisUrl === null && config.databaseUrl !== null) {
    // Several processes may share the database even without Redis.
    const signals = createPolledSignals(local);
    return { signals, limiter: createMemoryLimiter(config.limits), close: async () => signals.close() };
  }
  if (config.redisUrl === null) {
    return { signals: local, limiter: createMemoryLimiter(config.limits), close: async () => undefined };
  }
  const redis = openRedis(config.redisUrl, log);
  const signals = createRedisSignals(redis, local);
  return {
    signals,
    limiter: createRedisLimiter(redis, config.limits),
    close: async () => {
      signals.close();
      await redis.close();
    },
  };
}
