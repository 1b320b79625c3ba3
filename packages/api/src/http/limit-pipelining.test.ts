import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { limitPipelining } from './limit-pipelining.ts';

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
