import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { loadavg } from 'node:os';
import { it } from 'vitest';
import { median } from './median.ts';
import { ask, nextMessage } from './next-message.ts';
import type { Served } from './request-server.ts';

const ROUNDS = 5;
const READS = 200; // a round's, of each server
const WRITES = 50;
const WARM_READS = 600; // until the compiler has seen it all
const WARM_WRITES = 150;
const CONNECTIONS = 8;
const CREATIONS = WARM_WRITES + ROUNDS * WRITES;
const LIMIT = 20;

interface Call {
  readonly method: string;
  readonly path: string;
  readonly cookie: string;
  readonly json?: unknown;
}

const transports = {
  rest: {
    read: () => ({ method: 'GET', path: `/api/issues?limit=${LIMIT}` }),
    write: (json: unknown) => ({ method: 'POST', path: '/api/issues', json }),
  },
  trpc: {
    read: () => ({ method: 'GET', path: `/api/trpc/issues.list?input=${encodeURIComponent(`{"limit":${LIMIT}}`)}` }),
    write: (json: unknown) => ({ method: 'POST', path: '/api/trpc/issues.create', json }),
  },
};

const peers = [
  { name: 'bare Express', kind: 'express', transport: 'rest' },
  { name: 'bare tRPC on Express', kind: 'trpc', transport: 'trpc' },
  { name: 'the api over REST', kind: 'api', transport: 'rest' },
  { name: 'the api over tRPC', kind: 'api', transport: 'trpc' },
] as const;

// What a server's process uses by `process.cpuUsage`, not time: other processes take that. Every server is a process of
// its own, all are up at once and are asked in turns, so that whatever the machine does it does to all of them.
it('answers reads and writes of a session, beside servers without one', { timeout: 600_000 }, async () => {
  const servers = await Promise.all(peers.map((peer) => start(peer)));
  await using _ = {
    [Symbol.asyncDispose]: async () => {
      for (const { child } of servers) child.kill();
    },
  };
  for (const server of servers) {
    await server.read(WARM_READS);
    await server.write(WARM_WRITES);
  }
  const reads = servers.map((): number[] => []);
  const writes = servers.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, server] of servers.entries()) {
      reads[at]?.push(await server.read(READS));
      writes[at]?.push(await server.write(WRITES));
    }
  }
  tell(`GET issues, ${LIMIT} of them`, reads.map(median));
  tell('POST an issue', writes.map(median));
  process.stdout.write(`load average ${loadavg()[0]?.toFixed(1)}\n`);
});

async function start({ kind, transport }: (typeof peers)[number]) {
  const child = fork(new URL('./request-server.ts', import.meta.url), [kind, `${CREATIONS}`], {
    execArgv: [],
    env: { NODE_ENV: 'production' },
  });
  const { port, reader, writers } = await nextMessage<Served>(child);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const { read, write } = transports[transport];
  const creations = writers.flatMap(({ cookie, repoIds }) => repoIds.map((repo_id) => ({ cookie, repo_id })));
  const text = { title: 'Sum ignores its last argument', body: 'sum(1, 2, 3) gives 3, and sum(1, 2) gives 1.' };
  /** The microseconds of CPU that each of these calls took of its server. */
  const cost = async (calls: readonly Call[]) => {
    const before = await ask<number>(child, 'cpu');
    const left = [...calls];
    const line = async () => {
      for (let call = left.pop(); call !== undefined; call = left.pop()) await send({ agent, port }, call);
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, line));
    return ((await ask<number>(child, 'cpu')) - before) / calls.length;
  };
  return {
    child,
    read: (count: number) => cost(Array.from({ length: count }, () => ({ ...read(), cookie: reader }))),
    write: (count: number) =>
      cost(creations.splice(0, count).map(({ cookie, repo_id }) => ({ ...write({ repo_id, ...text }), cookie }))),
  };
}

async function send(to: { agent: Agent; port: number }, { method, path, cookie, json }: Call): Promise<void> {
  const body = json === undefined ? undefined : JSON.stringify(json);
  const headers = {
    ...(cookie !== '' && { Cookie: cookie }),
    ...(body !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
  };
  const sent = request({ ...to, host: '127.0.0.1', method, path, headers });
  sent.end(body);
  const [answer] = await once(sent, 'response');
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) text += chunk;
  const isRight = answer.statusCode < 300 && (method === 'POST' || text.split('"status":').length === LIMIT + 1);
  if (!isRight) throw new Error(`${method} ${path} was answered by ${answer.statusCode}: ${text}`);
}

function tell(what: string, costs: readonly number[]): void {
  const [express = 0, trpc = 0] = costs;
  for (const [at, { name }] of peers.entries()) {
    const cost = costs[at] ?? 0;
    process.stdout.write(
      `${what}, ${name}: ${cost.toFixed(0)} µs of CPU, ${(cost / express).toFixed(2)} × bare Express, ${(cost / trpc).toFixed(2)} × bare tRPC\n`,
    );
  }
}
