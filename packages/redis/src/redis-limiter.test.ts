import { type RateLimits, rateLimits } from '@sluice/core/request';
import { eventually, limiterContract, startRedisServer } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { openRedis, type RedisConnections, type RedisTimeouts } from './open-redis.ts';
import { createRedisLimiter } from './redis-limiter.ts';

const quiet = { info: () => undefined, warn: () => undefined };

async function ready(redis: RedisConnections) {
  await eventually(() => expect(redis.commands.status).toBe('ready'));
}

/** A busy machine may be slower than the server is given: what is not about that waits. */
const generous = { commandMs: 60_000 };

async function open(timeouts: RedisTimeouts = generous, limits: RateLimits = rateLimits) {
  const server = await startRedisServer();
  const redis = openRedis(server.url, quiet, timeouts);
  await ready(redis);
  return {
    server,
    redis,
    limiter: createRedisLimiter(redis, limits),
    [Symbol.asyncDispose]: async () => {
      await redis.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

limiterContract('in Redis', (limits) => open(generous, limits));

async function consumed(limiter: ReturnType<typeof createRedisLimiter>, times: number) {
  const verdicts = [];
  for (let count = 0; count < times; count += 1) verdicts.push((await limiter.consume('login', 'a')).allowed);
  return verdicts.filter(Boolean).length;
}

describe('the limiter in Redis', () => {
  it('counts together with every other process', async () => {
    await using first = await open();
    const other = openRedis(first.server.url, quiet, generous);
    await ready(other);
    const both = [first.limiter, createRedisLimiter(other)];
    const asked = Array.from({ length: 20 }, (_, at) => both[at % 2]?.consume('login', 'a'));
    const verdicts = await Promise.all(asked);
    expect(verdicts.filter((one) => one?.allowed)).toHaveLength(rateLimits.login.points);
    await other.close();
  });

  it('takes a request back out of the count of all processes, and keeps the end of its window', async () => {
    await using first = await open();
    const other = openRedis(first.server.url, quiet, generous);
    await ready(other);
    const elsewhere = createRedisLimiter(other);
    for (let count = 1; count < rateLimits.login.points; count += 1) await elsewhere.consume('login', 'a');
    const last = await first.limiter.consume('login', 'a');
    expect(last).toMatchObject({ allowed: true, remaining: 0 });
    await last.giveBack();
    expect(await first.redis.commands.pttl('sluice:limit:login:a')).toBeGreaterThan(0);
    expect((await elsewhere.consume('login', 'a')).allowed).toBe(true);
    expect((await first.limiter.consume('login', 'a')).allowed).toBe(false);
    await other.close();
  });

  it('takes a request back where it was counted: in memory, if Redis was away', async () => {
    await using opened = await open();
    await opened.limiter.consume('login', 'a');
    await opened.server.kill();
    const away = await opened.limiter.consume('login', 'a');
    expect(away).toMatchObject({ allowed: true, remaining: rateLimits.login.points - 1 });
    await opened.server.start();
    await ready(opened.redis);
    await opened.limiter.consume('login', 'a');
    await away.giveBack();
    expect(await opened.redis.commands.get('sluice:limit:login:a')).toBe('1');
  });

  it('lets its keys end with their window, so that strangers’ addresses do not pile up', async () => {
    await using opened = await open();
    await opened.limiter.consume('login', 'a');
    const left = await opened.redis.commands.pttl('sluice:limit:login:a');
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(rateLimits.login.windowSeconds * 1_000);
  });

  it.each(['kill', 'freeze'] as const)(
    'limits from memory after the server’s %s, and reports it as unreachable',
    async (fault) => {
      await using opened = await open({});
      await opened.server[fault]();
      expect(await consumed(opened.limiter, 2 * rateLimits.login.points)).toBe(rateLimits.login.points);
      await expect(opened.limiter.check(AbortSignal.timeout(2_000))).rejects.toThrow();
      opened.server.thaw();
    },
  );

  it('counts in Redis again when it is back', async () => {
    await using opened = await open();
    await opened.server.kill();
    expect(await consumed(opened.limiter, 1)).toBe(1);
    await opened.server.start();
    await ready(opened.redis);
    await opened.limiter.consume('login', 'b');
    expect(await opened.redis.commands.get('sluice:limit:login:b')).toBe('1');
    await expect(opened.limiter.check(AbortSignal.timeout(60_000))).resolves.toBeUndefined();
  });

  it('starts while Redis is unreachable, and connects when it is available', async () => {
    const server = await startRedisServer();
    await server.kill();
    const told: string[] = [];
    const log = {
      info: (_: object, text: string) => told.push(text),
      warn: (_: object, text: string) => told.push(text),
    };
    const redis = openRedis(server.url, log, generous);
    const limiter = createRedisLimiter(redis);
    expect(await consumed(limiter, 7)).toBe(rateLimits.login.points);
    await server.start();
    await ready(redis);
    expect((await limiter.consume('login', 'a')).allowed).toBe(true);
    expect(told).toEqual([expect.stringContaining('is unreachable'), expect.stringContaining('is reachable again')]);
    await redis.close();
    await server[Symbol.asyncDispose]();
  });
});
