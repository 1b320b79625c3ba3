import { request } from 'node:http';
import { untilFound } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { rawClient, statusesIn } from './raw-client.ts';
import { startScratchServer } from './scratch-server.ts';

/** After that a server that is closed cuts every connection off, and Node lets go of a quiet one. */
const CUT_OFF_MS = 5_000;

/** Begins a request whose body is still to come, and resolves once the server has begun to wait for it. */
async function beginRegistration(url: string) {
  const body = JSON.stringify({ email: 'late@example.com', password: 'a long enough passphrase' });
  const sent = request(`${url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' },
  });
  const answered = new Promise<number | undefined>((resolve, reject) => {
    sent.on('response', (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    sent.on('error', reject);
  });
  sent.flushHeaders();
  await new Promise((resolve) => sent.once('continue', resolve));
  return { answered, finish: () => sent.end(body) };
}

/** Resolves once new connections are refused: the shutdown is under way. */
async function stopsListening(url: string): Promise<void> {
  for (;;) {
    const refused = await fetch(`${url}/api/health/live`, { headers: { connection: 'close' } }).then(
      () => false,
      () => true,
    );
    if (refused) return;
  }
}

describe('a server that is closed', () => {
  it('answers a request that is under way, with the database still open', async () => {
    await using server = await startScratchServer();
    const late = await beginRegistration(server.url);
    const closed = server[Symbol.asyncDispose]();
    await stopsListening(server.url);
    late.finish();
    expect(await late.answered).toBe(201);
    await closed;
  });

  it('does not wait for a connection that its client keeps open for a next request', async () => {
    await using server = await startScratchServer();
    const body = JSON.stringify({ email: 'kept@example.com', password: 'a long enough passphrase' });
    const client = await rawClient(server.url);
    client.socket.write(
      `POST /api/auth/register HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    await untilFound(() => client.received().includes('100 Continue'));
    const began = performance.now();
    const closed = server[Symbol.asyncDispose]();
    client.socket.write(body);
    await client.closed;
    expect(performance.now() - began).toBeLessThan(CUT_OFF_MS);
    expect(statusesIn(client.received())).toEqual([100, 201]);
    await closed;
  });
});
