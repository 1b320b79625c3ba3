export { createMemoryLimiter } from './memory-limiter.ts';
export { createPolledSignals } from './polled-signals.ts';
export { createProcessSignals, type ProcessSignals } from './process-signals.ts';
export { openRedis, type RedisConnections } from './redis/open-redis.ts';
export { createRedisLimiter } from './redis/redis-limiter.ts';
export { createRedisSignals, type RedisSignals } from './redis/redis-signals.ts';
