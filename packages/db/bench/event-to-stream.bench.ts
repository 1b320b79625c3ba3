import type { EventsWritten, NewEvent } from '@sluice/core/issue';
import { createProcessSignals, createRedisSignals, openRedis } from '@sluice/redis';
import { settableClock, startPostgres, startRedisServer, untilFound } from '@sluice/testing';
import { it } from 'vitest';
import { openPostgres } from '../src/index.ts';
import { aLease } from './a-lease.ts';

const EVENT: NewEvent = { type: 'user.message', data: { text: 'a note of a usual length, as agents write them' } };
const quiet = { info: () => undefined, warn: () => undefined };

// The writer and the reader have connections of their own to Redis and to Postgres, as two processes have.
it('brings an event from the process that wrote it to a stream of another', { timeout: 120_000 }, async ({ bench }) => {
  await using redis = await startRedisServer();
  await using server = await startPostgres();
  const urls = { postgres: await server.createDatabase(), redis: redis.url };
  await using writing = await openSide(urls);
  await using reading = await openSide(urls);
  const lease = await aLease(writing.stores);
  const hint: EventsWritten = { issueId: lease.issueId, userId: '', seq: 0 };
  let heard = Promise.withResolvers<void>();
  /** Waits for what `say` leads to at the other side. */
  const until = async (say: () => unknown) => {
    heard = Promise.withResolvers();
    const said = say();
    await heard.promise;
    await said;
  };
  let seen = (await reading.stores.issues.events(lease.issueId, { after: 0, limit: 1_000 })).length;
  let rowsToo = false; // a stream reads the rows that it heard of
  const readRows = (on: boolean) => {
    rowsToo = on;
  };
  reading.signals.subscribe(lease.issueId, {
    onEvents: async () => {
      if (rowsToo) {
        const rows = await reading.stores.issues.events(lease.issueId, { after: seen, limit: 1_000 });
        if (rows.length === 0) return;
        seen += rows.length;
      }
      heard.resolve();
    },
  });
  await reading.redis.subscriber.subscribe('bare');
  reading.redis.subscriber.on('message', (channel) => channel === 'bare' && heard.resolve());
  await untilFound(async () => (await writing.redis.commands.pubsub('NUMSUB', 'sluice:0:events'))[1] === 2);

  const message = JSON.stringify({ from: 'bench', hint });
  const times = await bench.compare(
    bench('a bare publish, to its subscriber', () => until(() => writing.redis.commands.publish('bare', message))),
    bench("a signal, to the other process's listener", () => until(() => writing.signals.eventsWritten(hint))),
    bench(
      "an event, from its write to the other process's stream",
      { beforeAll: () => readRows(true), afterAll: () => readRows(false) },
      () => until(() => writing.stores.runs.record(lease, [EVENT])),
    ),
    { time: 2_000, warmupTime: 300 },
  );
  const bare = times.get('a bare publish, to its subscriber').latency;
  const signal = times.get("a signal, to the other process's listener").latency;
  const event = times.get("an event, from its write to the other process's stream").latency;
  const ratio = (of: 'p50' | 'p99') =>
    `${of} ${(signal[of] / bare[of]).toFixed(2)} (${signal[of].toFixed(2)} ms ÷ ${bare[of].toFixed(2)} ms)`;
  process.stdout.write(
    `signal ÷ bare publish: ${ratio('p50')}, ${ratio('p99')}\n` +
      `event from before its write to a stream: p50 ${event.p50.toFixed(2)} ms, p99 ${event.p99.toFixed(2)} ms\n`,
  );
});

async function openSide(urls: { postgres: string; redis: string }) {
  const redis = openRedis(urls.redis, quiet);
  await untilFound(() => redis.commands.status === 'ready' && redis.subscriber.status === 'ready');
  const signals = createRedisSignals(redis, createProcessSignals());
  const stores = await openPostgres({
    url: urls.postgres,
    applicationName: 'bench',
    clock: settableClock(),
    onEvents: (hint) => signals.eventsWritten(hint),
  });
  return {
    redis,
    signals,
    stores,
    [Symbol.asyncDispose]: async () => {
      signals.close();
      await redis.close();
      await stores.close();
    },
  };
}
