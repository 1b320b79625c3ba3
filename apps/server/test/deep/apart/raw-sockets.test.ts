import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { eventually } from '@sluice/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpSession, signUp } from '../../http-session.ts';
import {
  fileLimit,
  openFiles,
  type RawClient,
  rawClient,
  rawClients,
  rawExchange,
  residentMib,
  statusesIn,
  whileOthersAsk,
} from '../../raw-client.ts';
import { type ServiceProcess, startProcess } from '../../service-process.ts';

// Usual way: apps/server/test/shutdown.test.ts

// Generous, for a busy machine: a client that is held up waits a minute or for ever.
const SLOWEST_MS = 30_000;
const ROOM_MIB = 200;

/** What `npm start` starts; other tests start the program that is built from it. */
const FROM_SOURCE = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));

let service: ServiceProcess;
let other: HttpSession;
beforeAll(async () => {
  service = await startProcess({ LOG_LEVEL: 'warn' }, ['--inspect=127.0.0.1:0'], { program: FROM_SOURCE });
  other = await signUp(service.url);
});
afterAll(async () => {
  await service.kill();
});

const head = (path: string, method = 'GET') => `${method} ${path} HTTP/1.1\r\nHost: x\r\n`;

/** Abuses the server while others use it, and checks that neither their latency nor the memory grows. */
async function suffers(abuse: () => Promise<unknown>): Promise<void> {
  await whileOthersAsk(other, abuse); // growth by the first abuse of a kind is no leak
  const before = residentMib(service.pid);
  for (const _round of [1, 2]) expect(await whileOthersAsk(other, abuse)).toBeLessThan(SLOWEST_MS);
  // V8 collects garbage late when there is memory enough; leaked memory stays.
  await eventually(async () => {
    await other.call('GET', '/api/issues');
    await collectGarbage();
    expect(residentMib(service.pid) - before).toBeLessThan(ROOM_MIB);
  }, 1_000);
}

/** Asks the service's inspector for a full collection. */
async function collectGarbage(): Promise<void> {
  const log = readFileSync(join(service.dataDir, 'process.log'), 'utf8');
  const inspector = new WebSocket(/ws:\/\/\S+/.exec(log)?.[0] ?? '');
  await once(inspector, 'open');
  inspector.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }));
  await once(inspector, 'message');
  inspector.close();
}

function hangUp(clients: readonly RawClient[]): void {
  for (const { socket } of clients) socket.destroy();
}

describe('a slow request', () => {
  it('is ended with 408, in its headers or its body, and delays no one else', async () => {
    const heads = await rawClients(service.url, 300);
    const bodies = await rawClients(service.url, 300);
    for (const { socket } of heads) socket.write(head('/api/health/live'));
    for (const [index, { socket }] of bodies.entries()) {
      const path = ['/api/auth/login', '/api/trpc/auth.login', '/api/codehost/webhook'][index % 3] ?? '';
      socket.write(`${head(path, 'POST')}Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`);
    }
    const drip = setInterval(() => {
      for (const { socket } of heads) if (socket.writable) socket.write('X-A: a\r\n');
      for (const { socket } of bodies) if (socket.writable) socket.write(' ');
    }, 500);
    const slowest = await whileOthersAsk(other, () =>
      Promise.all([...heads, ...bodies].map(({ closed }) => closed)),
    ).finally(() => clearInterval(drip));
    expect(slowest).toBeLessThan(SLOWEST_MS);
    for (const client of heads) expect(statusesIn(client.received())).toEqual([408]);
    // Some are refused by their headers alone, before the timeout: they get no second answer.
    const answers = bodies.map((client) => statusesIn(client.received()));
    expect(answers.filter(([status = 0, ...more]) => status < 400 || status >= 500 || more.length > 0)).toEqual([]);
    expect(answers.filter(([status]) => status === 408)).not.toEqual([]);
  });
});

describe('a large request', () => {
  it('is cut off when its headers do not end', async () => {
    const line = Buffer.from(`X-Large: ${'a'.repeat(8_000)}\r\n`);
    await suffers(async () => {
      const clients = await rawClients(service.url, 40);
      for (const { socket } of clients) {
        socket.write(head('/api/health/live'));
        for (let count = 0; count < 500; count += 1) socket.write(line);
      }
      await Promise.all(clients.map(({ closed }) => closed));
    });
    const many = await rawExchange(service.url, head('/api/health/live') + 'a:\r\n'.repeat(20_000));
    expect(statusesIn(many)).toEqual([431]);
  });

  it('is never decompressed', async () => {
    const zeros = Buffer.alloc(64 * 1_048_576);
    const bombs = { gzip: gzipSync(zeros), deflate: deflateSync(zeros), br: brotliCompressSync(zeros) };
    const requests = Object.entries({ ...bombs, 'gzip, gzip': gzipSync(bombs.gzip), 'x-gzip': bombs.gzip }).flatMap(
      ([encoding, bomb]) =>
        ['/api/auth/login', '/api/trpc/auth.login', '/api/codehost/webhook'].map((path) =>
          Buffer.concat([
            Buffer.from(
              `${head(path, 'POST')}Content-Type: application/json\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${bomb.length}\r\nConnection: close\r\n\r\n`,
            ),
            bomb,
          ]),
        ),
    );
    const statuses = new Set<number>();
    await suffers(async () => {
      for (let round = 0; round < 5; round += 1) {
        const answers = await Promise.all(requests.map((bytes) => rawExchange(service.url, bytes)));
        for (const answer of answers) for (const status of statusesIn(answer)) statuses.add(status);
      }
    });
    expect([...statuses].filter((status) => status < 400 || status >= 500)).toEqual([]);
    expect(statuses).toContain(415);
  });
});

describe('pipelining', () => {
  const request = (id: string) => `${head('/api/nothing')}X-Request-Id: ${id}\r\n\r\n`;

  const answeredIn = (received: string) =>
    [...received.matchAll(/^X-Request-Id: (pipelined-\d+)\r$/gim)].map(([, id]) => id);

  it('is answered in its order', async () => {
    const ids = Array.from({ length: 99 }, (_none, index) => `pipelined-${index}`);
    const last = `${head('/api/nothing')}Connection: close\r\n\r\n`;
    expect(answeredIn(await rawExchange(service.url, ids.map(request).join('') + last))).toEqual(ids);
  });

  it('stops after a hundred requests, and the connection with it', async () => {
    const ids = Array.from({ length: 1_000 }, (_none, index) => `pipelined-${index}`);
    const answered = answeredIn(await rawExchange(service.url, ids.map(request).join('')));
    // The connection is closed with unread requests on it, so the last answers may be lost.
    expect(answered).toEqual(ids.slice(0, answered.length));
    expect(answered.length).toBeGreaterThan(0);
    expect(answered.length).toBeLessThanOrEqual(100);
  });

  it('waits for a client that does not read its answers, instead of buffering them', async () => {
    const bytes = request('unread').repeat(5_000);
    await suffers(async () => {
      const clients = await rawClients(service.url, 30);
      for (const { socket } of clients) {
        socket.pause();
        socket.write(bytes);
      }
      // Long enough for it to have answered all of one, had it not stopped.
      for (let asked = 0; asked < 50; asked += 1) await other.call('GET', '/api/issues');
      hangUp(clients);
    });
  });
});

describe('a body whose length is ambiguous', () => {
  // A write that reads its body and has no limit.
  const NOBODYS = '0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4f';
  const signedHead = (path: string) =>
    `${head(path, path.includes('/trpc/') ? 'POST' : 'PATCH')}Cookie: access_token=${other.cookies().get('access_token')}\r\n`;
  const smuggled = `${head('/api/nothing')}X-Request-Id: smuggled\r\n\r\n`;
  const chunked = `0\r\n\r\n${smuggled}`;
  const size = `Content-Length: ${chunked.length}`;
  const te = 'Transfer-Encoding: chunked';

  const refused: Record<string, [lines: string, body: string]> = {
    'a length and chunks': [`${size}\r\n${te}`, chunked],
    'chunks and a length': [`${te}\r\n${size}`, chunked],
    'a length of 0 and chunks': [`Content-Length: 0\r\n${te}`, chunked],
    'two lengths': [`Content-Length: 0\r\n${size}`, chunked],
    'two lengths, the larger first': [`${size}\r\nContent-Length: 0`, chunked],
    'the same length twice': [`${size}\r\n${size}`, chunked],
    'two lengths in a line': [`Content-Length: 0, ${chunked.length}`, chunked],
    'a length with a plus': ['Content-Length: +0', smuggled],
    'a length below zero': ['Content-Length: -1', smuggled],
    'a length in hexadecimal': ['Content-Length: 0x0', smuggled],
    'a length with an exponent': ['Content-Length: 0e0', smuggled],
    'a length in two words': ['Content-Length: 0 5', smuggled],
    'an empty length': ['Content-Length:', smuggled],
    'a length beyond 64 bits': ['Content-Length: 18446744073709551616', smuggled],
    'a space before the colon of the length': ['Content-Length : 0', smuggled],
    'chunked twice': [`${te}\r\n${te}`, chunked],
    'chunked twice in a line': ['Transfer-Encoding: chunked, chunked', chunked],
    'chunked before another': ['Transfer-Encoding: chunked, identity', chunked],
    'chunked and then another': [`${te}\r\nTransfer-Encoding: identity`, chunked],
    'identity and a length': [`Transfer-Encoding: identity\r\n${size}`, chunked],
    'an unknown coding and a length': [`Transfer-Encoding: xchunked\r\n${size}`, chunked],
    'chunked with a letter more and a length': [`Transfer-Encoding: chunkedx\r\n${size}`, chunked],
    'chunked in quotes and a length': [`Transfer-Encoding: "chunked"\r\n${size}`, chunked],
    'chunked after a vertical tab': [`Transfer-Encoding: \vchunked\r\n${size}`, chunked],
    'chunked with a null byte': [`Transfer-Encoding: chunked\0\r\n${size}`, chunked],
    'chunked with a parameter and a length': [`Transfer-Encoding: chunked;q=1\r\n${size}`, chunked],
    'a space before the colon': [`Transfer-Encoding : chunked\r\n${size}`, chunked],
    'a tab before the colon': [`Transfer-Encoding\t: chunked\r\n${size}`, chunked],
    'a line that is folded': [`Transfer-Encoding:\r\n chunked\r\n${size}`, chunked],
    'a line that begins with a space': [`${size}\r\n ${te}`, chunked],
    'a line after a carriage return alone': [`X-A: b\r${te}\r\n${size}`, chunked],
    'a line after a line feed alone': [`X-A: b\n${te}\r\n${size}`, chunked],
    'a header without a colon': [`${size}\r\nTransfer-Encoding`, chunked],
    'spaces after chunked': ['Transfer-Encoding: chunked \t', chunked],
    'a length in a trailer': [te, `0\r\nContent-Length: 7\r\n\r\n${smuggled}`],
    'a chunk of a negative size': [te, `-1\r\n${smuggled}`],
    'a chunk of a size with a plus': [te, `+0\r\n\r\n${smuggled}`],
    'a chunk of a size with 0x': [te, `0x0\r\n\r\n${smuggled}`],
    'a chunk of no size': [te, `\r\n\r\n${smuggled}`],
    'a chunk beyond 64 bits': [te, `10000000000000000\r\n${smuggled}`],
    'a chunk that is longer than it says': [te, `1\r\n{}\r\n0\r\n\r\n${smuggled}`],
    'a chunk that ends with a line feed alone': [te, `2\r\n{}\n0\r\n\r\n${smuggled}`],
    'a chunk size that ends with a line feed alone': [te, `2\n{}\r\n0\r\n\r\n${smuggled}`],
    'a chunk size that ends with a carriage return alone': [te, `2\r{}\r\n0\r\n\r\n${smuggled}`],
    'an extension with a line feed': [te, `2;a\nb\r\n{}\r\n0\r\n\r\n${smuggled}`],
  };

  it.each(Object.entries(refused))('is refused: %s', async (_what, [lines, body]) => {
    for (const path of [`/api/repos/${NOBODYS}`, '/api/trpc/repos.update']) {
      const answer = await rawExchange(
        service.url,
        `${signedHead(path)}Content-Type: application/json\r\n${lines}\r\n\r\n${body}`,
      );
      expect(statusesIn(answer), answer).toEqual([400]);
      expect(answer).not.toContain('smuggled');
      expect(answer).toContain('Connection: close');
    }
  });

  it('is refused in HTTP/1.0 as well', async () => {
    const lines = `POST /api/auth/logout HTTP/1.0\r\nHost: x\r\n${te}\r\n${size}\r\n\r\n`;
    expect(statusesIn(await rawExchange(service.url, lines + chunked))).toEqual([400]);
  });

  it.each([
    ['capitals', 'TRANSFER-ENCODING: CHUNKED', `2\r\n{}\r\n0\r\n\r\n`],
    ['spaces before', 'Transfer-Encoding: \t chunked', `2\r\n{}\r\n0\r\n\r\n`],
    ['an extension and a trailer', te, `2;a=b\r\n{}\r\n0\r\nX-A: b\r\n\r\n`],
    ['a length with zeros before it', 'Content-Length: 0002', '{}'],
  ])('is accepted when it is unambiguous: %s', async (_what, lines, body) => {
    const client = await rawClient(service.url);
    client.socket.write(
      `${signedHead(`/api/repos/${NOBODYS}`)}Content-Type: application/json\r\n${lines}\r\n\r\n${body}`,
    );
    client.socket.write(`${head('/api/nothing')}Connection: close\r\n\r\n`);
    await client.closed;
    const [status = 0, next] = statusesIn(client.received());
    expect([status, next], client.received()).toEqual([404, 404]);
    expect(client.received()).toContain('"repo_not_found"');
  });
});

describe('silent connections', () => {
  it('are held by the thousand, and closed in the end', async () => {
    const spare = 500; // for the test itself, and what the service has open besides
    const count = Math.min(5_000, fileLimit() - spare);
    const before = { files: openFiles(service.pid), mib: residentMib(service.pid) };
    const clients: RawClient[] = [];
    const slowest = await whileOthersAsk(other, async () => {
      clients.push(...(await rawClients(service.url, count)));
      // On a slow machine the first are closed before the last are open.
      await eventually(() => {
        const open = clients.filter(({ socket }) => !socket.closed).length;
        expect(openFiles(service.pid)).toBeGreaterThan(before.files + open * 0.9);
        expect(open).toBeGreaterThan(Math.min(1_000, count * 0.9));
      });
      await eventually(async () => expect((await fetch(`${service.url}/api/health/ready`)).status).toBe(200));
      await Promise.all(clients.map(({ closed }) => closed));
    });
    expect(slowest).toBeLessThan(SLOWEST_MS);
    expect(residentMib(service.pid) - before.mib).toBeLessThan(ROOM_MIB);
    await eventually(() => expect(openFiles(service.pid)).toBeLessThan(before.files + 50));
    expect(statusesIn(clients[0]?.received() ?? '')).toEqual([408]);
  });
});
