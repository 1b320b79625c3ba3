import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { scriptedHosts } from '@sluice/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AllowProxy, openAllowProxy } from './allow-proxy.ts';

/** The hostile server behind an allow-listed name, which responds as a test requires. */
let far: Server;
let port: number;
let answer: (socket: Socket) => void;
const asked: string[] = [];

beforeAll(async () => {
  far = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      asked.push(chunk.toString('latin1'));
      answer(socket);
    });
  });
  far.listen(0, '127.0.0.1');
  await once(far, 'listening');
  const address = far.address();
  port = address !== null && typeof address === 'object' ? address.port : 0;
});
afterAll(() => far.close());

async function openProxy(addressOf = async () => '127.0.0.1'): Promise<AllowProxy & AsyncDisposable> {
  const allowHosts = [`far.test:${port}`];
  const hosts = scriptedHosts(async () => [await addressOf()]);
  const proxy = await openAllowProxy(
    { allowPrivateHosts: allowHosts, hosts },
    { allowHosts, owner: 'user-1', refused: () => undefined },
  );
  return { ...proxy, [Symbol.asyncDispose]: () => proxy.close() };
}

/** Sends text to the proxy and returns everything received until it closes the connection. */
async function talk(proxy: AllowProxy, text: string): Promise<string> {
  const socket = connect(proxy.socketPath);
  socket.write(text);
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  await new Promise((done) => socket.once('close', done));
  return heard;
}

const get = () => `GET http://far.test:${port}/ HTTP/1.1\r\nHost: elsewhere.example\r\nConnection: close\r\n\r\n`;

test('requests the checked host, whatever the Host header says', async () => {
  await using proxy = await openProxy();
  answer = (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
  asked.length = 0;
  expect(await talk(proxy, get())).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*ok$/);
  expect(asked.join('')).toContain(`host: far.test:${port}\r\n`);
  expect(asked.join('')).not.toContain('elsewhere');
});

test.each([
  ['a status that no server may send', 'HTTP/1.1 099 X\r\nContent-Length: 0\r\n\r\n'],
  ['a change of protocol that nobody asked for', 'HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nhello'],
  ['no HTTP at all', 'SSH-2.0-x\r\n'],
  ['endless headers', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`],
])('hangs up on an answer that is %s, and lives', async (_what, text) => {
  await using proxy = await openProxy();
  answer = (socket) => socket.write(text);
  expect(await talk(proxy, get())).toBe('');
  answer = (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
  expect(await talk(proxy, get())).toMatch(/^HTTP\/1\.1 200/);
});

test('truncates a response where the server does', async () => {
  await using proxy = await openProxy();
  answer = (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc', () => socket.destroy());
  expect(await talk(proxy, get().replace('Connection: close\r\n', ''))).toContain('abc');
});

test.each([
  ['a tunnel', () => `CONNECT far.test:${port} HTTP/1.1\r\nHost: x\r\n\r\nlate words`],
  ['a request', get],
])('lets %s whose name is still being looked up when the command ends go nowhere', async (_what, words) => {
  const asking = Promise.withResolvers<void>();
  const resolved = Promise.withResolvers<string>();
  const proxy = await openProxy(() => {
    asking.resolve();
    return resolved.promise;
  });
  const talking = talk(proxy, words());
  await asking.promise;
  let reached = 0;
  const count = () => {
    reached += 1;
  };
  far.on('connection', count);
  await proxy.close();
  expect(await talking).toBe('');
  resolved.resolve('127.0.0.1');
  // This later connection is accepted after any that the proxy made.
  await new Promise(setImmediate);
  const own = connect(port, '127.0.0.1');
  await once(own, 'connect');
  await expect.poll(() => reached).toBeGreaterThan(0);
  far.off('connection', count);
  own.destroy();
  expect(reached).toBe(1);
});
