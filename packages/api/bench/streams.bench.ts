import { fork } from 'node:child_process';
import { loadavg } from 'node:os';
import { it } from 'vitest';
import { median } from './median.ts';
import { ask, nextMessage } from './next-message.ts';
import type { ReadersOrder } from './stream-readers.ts';
import type { StreamOrder, StreamsServed } from './stream-server.ts';

const ROUNDS = 3;
const DELIVERIES = 50_000; // per server and round, approximately: one second on an idle machine
const MAX_EVENTS = 60;
const peers = ['raw', 'better-sse', 'api'] as const;

// CPU by `process.cpuUsage` of each server, which are processes of their own, as are their readers; all streams of all
// servers are open at once, and the servers write in turns.
it.each([50, 200])(
  'delivers to %i open streams, every event to each and in order',
  { timeout: 900_000 },
  async (streams) => {
    const servers = await Promise.all(peers.map((kind) => start(kind)));
    await using _ = {
      [Symbol.asyncDispose]: async () => {
        for (const { end } of servers) end();
      },
    };
    const bytes: number[] = [];
    for (const server of servers) bytes.push(await server.open(streams));
    const events = Math.min(MAX_EVENTS, DELIVERIES / streams);
    const costs = servers.map((): number[] => []);
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const [at, server] of servers.entries()) {
        const cost = await server.deliver(events);
        if (round >= 0) costs[at]?.push(cost / streams / events); // the first one warms up
      }
    }
    const [raw = 0] = costs.map(median);
    for (const [at, kind] of peers.entries()) {
      const cost = median(costs[at] ?? []);
      const kib = (bytes[at] ?? 0) / streams / 1_024;
      process.stdout.write(
        `${streams} streams, ${kind}: ${cost.toFixed(1)} µs of CPU a delivery, ${(cost / raw).toFixed(2)} × raw, ${kib.toFixed(1)} KiB a stream\n`,
      );
    }
    process.stdout.write(`load average ${loadavg()[0]?.toFixed(1)}\n`);
  },
);

async function start(kind: (typeof peers)[number]) {
  const server = fork(new URL('./stream-server.ts', import.meta.url), [kind], {
    execArgv: ['--expose-gc'],
    env: { NODE_ENV: 'production' },
  });
  const readers = fork(new URL('./stream-readers.ts', import.meta.url), [], { execArgv: [] });
  const [served] = await Promise.all([nextMessage<StreamsServed>(server), nextMessage(readers)]);
  const tell = (order: StreamOrder) => ask<number>(server, order);
  const read = (order: ReadersOrder) => ask<string[]>(readers, order);
  const { port, path, cookies, after } = served;
  const heads = cookies.map(
    (cookie) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nCookie: ${cookie}\r\n\r\n`,
  );
  let seq = after;
  return {
    /** @returns the bytes that so many streams take of the server */
    open: async (streams: number): Promise<number> => {
      const before = await tell({ kind: 'memory' });
      await read({ kind: 'open', port, heads, streams, after });
      return (await tell({ kind: 'memory' })) - before;
    },
    /** @returns the microseconds of CPU from the first write to the last delivery */
    deliver: async (events: number): Promise<number> => {
      seq += events;
      const before = await tell({ kind: 'cpu' });
      await read({ kind: 'await', seq });
      const arrived = nextMessage<string[]>(readers);
      await tell({ kind: 'write', events });
      const faults = await arrived;
      if (faults.length > 0) throw new Error(`${kind}: ${faults.join('; ')}`);
      return (await tell({ kind: 'cpu' })) - before;
    },
    end: () => {
      server.kill();
      readers.kill();
    },
  };
}
