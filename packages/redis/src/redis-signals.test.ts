import { eventually, type RedisServer, signalsContract, startRedisServer } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { openRedis } from './open-redis.ts';
import { createProcessSignals } from './process-signals.ts';
import { createRedisSignals } from './redis-signals.ts';

const quiet = { info: () => undefined, warn: () => undefined };

/** The connections of one process. */
async function openProcess(server: RedisServer) {
  // A busy machine may be slower than the server is given: a word that came all the same would be said again.
  const redis = openRedis(server.url, quiet, { commandMs: 60_000 });
  const signals = createRedisSignals(redis, createProcessSignals());
  const ready = () =>
    eventually(() => expect([redis.commands.status, redis.subscriber.status]).toEqual(['ready', 'ready']));
  /** A round trip on the subscribing connection: what was asked for before is in force. */
  const settled = async () => void (await redis.subscriber.ping());
  await ready();
  await settled(); // the first subscription tells listeners to read the rows, and no test listens yet
  return {
    signals,
    redis,
    ready,
    settled,
    close: async () => {
      signals.close();
      await redis.close();
    },
  };
}

async function openTwo() {
  const server = await startRedisServer();
  const [speaker, hearer] = [await openProcess(server), await openProcess(server)];
  return {
    server,
    one: speaker,
    other: hearer,
    speaker: speaker.signals,
    hearer: hearer.signals,
    settled: async () => {
      await Promise.all([speaker.settled(), hearer.settled()]);
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([speaker.close(), hearer.close()]);
      await server[Symbol.asyncDispose]();
    },
  };
}

signalsContract('between two processes over Redis', openTwo);

describe('signals over Redis', () => {
  it('reach listeners in the same process while Redis is unreachable', async () => {
    await using two = await openTwo();
    await two.server.kill();
    const heard: number[] = [];
    two.speaker.subscribe(null, { onEvents: ({ seq }) => heard.push(seq) });
    two.speaker.eventsWritten({ issueId: 'a', userId: 'u', seq: 3 });
    expect(heard).toEqual([3]);
  });

  it.each(['kill', 'freeze'] as const)('tell followers to read the rows after the server’s %s', async (fault) => {
    await using two = await openTwo();
    const looks: number[] = [];
    two.hearer.subscribe('a', { onEvents: ({ seq }) => looks.push(seq) });
    await two.settled();
    await two.server[fault]();
    looks.length = 0;
    await eventually(() => expect(looks.length).toBeGreaterThanOrEqual(2));
    expect(new Set(looks)).toEqual(new Set([Number.POSITIVE_INFINITY]));
    two.server.thaw();
  });

  it('tell followers of all issues to read the rows while Redis is unreachable, and once when it is back', async () => {
    await using two = await openTwo();
    const looks: unknown[] = [];
    const leave = two.hearer.subscribe(null, { onEvents: (hint) => looks.push(hint) });
    await two.settled();
    two.speaker.eventsWritten({ issueId: 'a', userId: 'u', seq: 3 });
    await eventually(() => expect(looks).toContainEqual({ issueId: 'a', userId: 'u', seq: 3 }));
    await two.server.kill();
    looks.length = 0;
    await eventually(() => expect(looks.length).toBeGreaterThanOrEqual(2));
    expect(looks[0]).toEqual({ issueId: '', userId: '', seq: Number.POSITIVE_INFINITY });
    leave();
    leave();
  });

  it('tell followers to read the rows once when Redis is back, and are delivered again', async () => {
    await using two = await openTwo();
    const heard: number[] = [];
    const live: string[] = [];
    two.hearer.subscribe('a', { onEvents: ({ seq }) => heard.push(seq), onLive: ({ data }) => live.push(data.text) });
    await two.settled();
    await two.server.kill();
    await two.server.start();
    await Promise.all([two.one.ready(), two.other.ready()]);
    await eventually(() => expect(heard.at(-1)).toBe(Number.POSITIVE_INFINITY));
    await two.settled();
    two.speaker.eventsWritten({ issueId: 'a', userId: 'u', seq: 9 });
    const at = '2026-11-20T09:15:00.000Z';
    two.speaker.live({ type: 'agent.delta', issue_id: 'a', at, data: { agent: 'coder', text: 'again' } });
    await eventually(() => expect([heard.at(-1), live]).toEqual([9, ['again']]));
  });

  it('are sent after a lost connection is back, the last one of each issue', async () => {
    await using two = await openTwo();
    const heard: unknown[] = [];
    two.hearer.subscribe(null, {
      onEvents: ({ issueId, seq }) => heard.push(`${issueId} ${seq}`),
      onSessionEnded: (session) => heard.push(session),
    });
    await two.settled();
    two.one.redis.commands.disconnect(true);
    for (const seq of [1, 2, 3]) two.speaker.eventsWritten({ issueId: 'a', userId: 'u', seq });
    two.speaker.eventsWritten({ issueId: 'b', userId: 'u', seq: 1 });
    two.speaker.sessionEnded('s');
    await eventually(() => expect(heard.toSorted()).toEqual(['a 3', 'b 1', 's']));
  });

  it('tell followers to read the rows while subscribing fails, and are delivered once it succeeds', async () => {
    await using two = await openTwo();
    const { commands, subscriber } = two.other.redis;
    const heard: number[] = [];
    two.hearer.subscribe('a', { onEvents: ({ seq }) => heard.push(seq) });
    await commands.call('ACL', 'SETUSER', 'default', 'resetchannels');
    subscriber.disconnect(true);
    await two.other.ready();
    heard.length = 0;
    await eventually(() => expect(heard.length).toBeGreaterThanOrEqual(3));
    await commands.call('ACL', 'SETUSER', 'default', 'allchannels');
    await eventually(() => {
      two.speaker.eventsWritten({ issueId: 'a', userId: 'u', seq: 7 });
      expect(heard).toContain(7);
    }, 200);
  });

  it('receive no live text that this process does not follow', async () => {
    await using two = await openTwo();
    const leave = two.hearer.subscribe('a', {});
    await two.settled();
    expect(await two.one.redis.commands.pubsub('CHANNELS', 'sluice:0:live:*')).toEqual(['sluice:0:live:a']);
    leave();
    await two.settled();
    expect(await two.one.redis.commands.pubsub('CHANNELS', 'sluice:0:live:*')).toEqual([]);
  });

  it('ignore foreign messages', async () => {
    await using two = await openTwo();
    const heard: unknown[] = [];
    two.hearer.subscribe('a', { onEvents: (hint) => heard.push(hint), onLive: (event) => heard.push(event) });
    await two.settled();
    heard.length = 0;
    for (const text of [
      '',
      'null',
      '[]',
      '{"from":"x"}',
      '{"from":"x","hint":{}}',
      '{"from":"x","live":{"type":"x"}}',
      'ÿ',
    ]) {
      await two.one.redis.commands.publish('sluice:0:events', text);
      await two.one.redis.commands.publish('sluice:0:live:a', text);
    }
    two.speaker.eventsWritten({ issueId: 'a', userId: 'u', seq: 4 });
    await eventually(() => expect(heard).toEqual([{ issueId: 'a', userId: 'u', seq: 4 }]));
  });
});
