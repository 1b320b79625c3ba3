import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createClientErrors } from './client-error.ts';
import { answerAll, createHttpServer, limitPipelining } from './http-server.ts';

const UNREAD_MS = 2_000;
const SHORT_MS = 250; // far less, also on a busy machine
const CHUNK = Buffer.alloc(1_048_576, 'x');
const MORE_THAN_SOCKETS_HOLD = 64; // mebibytes

const open: { server: Server; sockets: Socket[] }[] = [];
afterEach(() => {
  for (const { server, sockets } of open.splice(0)) {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  }
});

/** A server with this handler, and clients that read only when asked to. */
async function serve(handler: RequestListener) {
  const server = createHttpServer();
  answerAll(server, { handler, clientErrors: createClientErrors() }, UNREAD_MS);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets: Socket[] = [];
  open.push({ server, sockets });
  const ask = (requests: string) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(requests);
    sockets.push(socket);
    return socket;
  };
  return { ask };
}

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const LAST = 'GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const whole = (res: ServerResponse) => res.end(Buffer.alloc(MORE_THAN_SOCKETS_HOLD * CHUNK.length, 'x'));

describe('an answer that its client does not read', () => {
  it.each([
    ['at once', whole],
    [
      'page after page',
      (res: ServerResponse) => {
        const pages = function* () {
          for (;;) yield CHUNK;
        };
        pipeline(Readable.from(pages()), res).catch(() => {});
      },
    ],
  ])('is cut off after the write timeout, sent %s', async (_how, answer) => {
    const closed = Promise.withResolvers<boolean>();
    const { ask } = await serve((_req, res) => {
      res.once('close', () => closed.resolve(res.writableFinished));
      answer(res);
    });
    ask(GET).pause();
    expect(await closed.promise).toBe(false);
  });

  it('is not cut off while the client reads some of it now and then', async () => {
    const { ask } = await serve((_req, res) => whole(res));
    const socket = ask(LAST);
    let taken = 0;
    let rest = 0;
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      taken += chunk.length;
      rest += chunk.length;
      if (rest < 5 * CHUNK.length) continue;
      rest = 0;
      await pause(SHORT_MS);
    }
    expect(taken).toBeGreaterThan(MORE_THAN_SOCKETS_HOLD * CHUNK.length);
  });

  it('is not cut off while it is being made, also behind another one', async () => {
    const { ask } = await serve(async (req, res) => {
      if (req.url === '/last') await pause(1.5 * UNREAD_MS);
      res.end(req.url);
    });
    let read = '';
    for await (const chunk of ask(GET + LAST)) read += String(chunk);
    expect(read.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  });

  it('may be quiet between heartbeats', async () => {
    const { ask } = await serve(async (_req, res) => {
      for (let beat = 0; beat < 12; beat += 1) {
        res.write(':\n\n');
        await pause(SHORT_MS);
      }
      res.end('end');
    });
    let read = '';
    for await (const chunk of ask(LAST)) read += String(chunk);
    expect(read).toContain('end');
  });
});

const SENT = 20_000;
const ONE_PACKET = 3_000; // requests of 37 bytes in the 64 KiB that Node reads at once, and some

it('begins no request beyond the packet that had too many, even when answers drain', async () => {
  let begun = 0;
  const answer = limitPipelining((_req, res) => setImmediate(() => res.end('x'.repeat(2_000))));
  const server = createServer((req, res) => {
    begun += 1;
    answer(req, res);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  client.on('data', () => {});
  client.write('GET / HTTP/1.1\r\nHost: localhost.x\r\n\r\n'.repeat(SENT));
  await new Promise((resolve) => client.once('close', resolve)); // `once` of events would reject for the reset
  expect(begun).toBeGreaterThan(100);
  expect(begun).toBeLessThan(ONE_PACKET);
  server.close();
});
