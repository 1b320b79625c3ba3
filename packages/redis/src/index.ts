export { createMemoryLimiter } from './memory-limiter.ts';
export { openRedis, type RedisConnections } from './open-redis.ts';
export { createPolledSignals } from './polled-signals.ts';
export { createProcessSignals, type ProcessSignals } from './process-signals.ts';
export { createRedisLimiter } from './redis-limiter.ts';
export { createRedisSignals, type RedisSignals } from './redis-signals.ts';
