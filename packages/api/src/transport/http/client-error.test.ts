import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { eventually } from '@sluice/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createClientErrors } from './client-error.ts';
import { answerAll, createHttpServer } from './http-server.ts';

let server: Server;
beforeEach(async () => {
  server = createHttpServer();
  answerAll(server, { handler: (_req, res) => void res.end(), clientErrors: createClientErrors() });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends bytes and reads only after the server has ended its side. */
async function sendThenRead(bytes: string) {
  const accepted = once(server, 'connection');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1');
  let received = '';
  let failure: unknown = null;
  client.on('error', (error) => {
    failure = error;
  });
  client.on('data', (chunk) => {
    received += chunk;
  });
  const closed = new Promise((resolve) => client.once('close', resolve));
  client.pause();
  client.write(bytes);
  const [served] = (await accepted) as [Socket];
  await eventually(() => expect(served.writableEnded || served.destroyed).toBe(true));
  client.resume();
  await closed;
  return { received, failure };
}

const statuses = (received: string) =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

it('delivers the refusal to a client that goes on sending', async () => {
  const { received, failure } = await sendThenRead(`GET / HTTP/1.1\r\nHost: x\r\n${'a: b\r\n'.repeat(500_000)}`);
  expect(statuses(received)).toEqual([431]);
  expect(received).toContain('headers_too_large');
  expect(failure).toBeNull();
});

it('drops a client that neither ends nor stops sending', async () => {
  const accepted = once(server, 'connection');
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
  client.on('error', () => {});
  client.resume();
  const sending = setInterval(() => client.write('nonsense\r\n\r\n'), 50);
  const [served] = (await accepted) as [Socket];
  await once(served, 'close');
  clearInterval(sending);
  client.destroy();
  expect(served.bytesRead).toBeGreaterThan(100);
});
