import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { untilFound } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { rawClient, statusesIn } from './raw-client.ts';
import { startScratchServer } from './scratch-server.ts';
import { startProcess } from './service-process.ts';

/** What `npm start` starts. */
const FROM_SOURCE = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** After that a server that is closed cuts every connection off, and Node lets go of a quiet one. */
const CUT_OFF_MS = 5_000;

/** Stops a process as soon as it prints that it listens, before it does anything else. */
const TOLD_AT_ONCE = `const { write } = process.stdout;
process.stdout.write = function (text, ...more) {
  const isWritten = write.call(this, text, ...more);
  if (String(text).startsWith('Sluice listens on')) process.kill(process.pid, 'SIGTERM');
  return isWritten;
};`;

/** Makes a process in which connections are never closed. */
const NEVER_CLOSES = `import { Server } from 'node:http';
Server.prototype.close = function () { return this; };`;

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

  it('ends by itself within ten seconds of the signal where something never closes', async () => {
    const preload = `data:text/javascript,${encodeURIComponent(NEVER_CLOSES)}`;
    const server = await startProcess({}, ['--import', preload], { program: FROM_SOURCE });
    expect(await server.stop()).toBe(0);
    expect(await server.ended).toBeNull();
    const said = readFileSync(join(server.dataDir, 'process.log'), 'utf8');
    expect(said).toContain('shutdown took longer than 9 s; exiting now.');
  });

  it('stops in order when the signal comes as soon as it listens', async () => {
    const preload = `data:text/javascript,${encodeURIComponent(TOLD_AT_ONCE)}`;
    const server = await startProcess({}, ['--import', preload], { program: FROM_SOURCE });
    expect([await server.ended, await server.stop()]).toEqual([null, 0]);
  });
});
