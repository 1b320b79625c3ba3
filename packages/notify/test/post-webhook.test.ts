import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { type AddressInfo, type LookupFunction, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, localHosts, scriptedHosts } from '@sluice/testing';
import { describe, expect, it, vi } from 'vitest';
import { postWebhook, type WebhookRules } from '../src/post-webhook.ts';
import { startReceiver } from './receiver.ts';

const never = new AbortController().signal;
const PUBLIC = '93.184.215.14';
const post = (url: string, rules: Partial<WebhookRules> = {}, signal = never) =>
  postWebhook(
    { allowHosts: [], hosts: localHosts, ...rules },
    { userId: 'user-1', url, headers: { 'x-sluice': '1' }, body: '{"a":"ü"}' },
    signal,
  );

describe('a webhook', () => {
  it('is posted to the path and query of its URL, and accepted with any 2xx', async () => {
    await using receiver = await startReceiver((response) => response.writeHead(204).end());
    const result = await post(`${receiver.origin}/in?key=1`, { allowHosts: [receiver.host] });
    expect(result).toEqual({ kind: 'accepted', status: 204, latencyMs: expect.any(Number) });
    expect(receiver.received).toMatchObject([{ method: 'POST', path: '/in?key=1', body: '{"a":"ü"}' }]);
    expect(receiver.received[0]?.headers).toMatchObject({
      'x-sluice': '1',
      host: receiver.host,
      'content-length': '10',
    });
  });

  it.each([
    [500, {}, { reason: 'The receiver answered 500.', retry: 'later', retryAfterMs: null }],
    [410, {}, { reason: 'The receiver answered 410: it wants no deliveries any more.', retry: 'gone' }],
    [429, { 'retry-after': '90' }, { retry: 'later', retryAfterMs: 90_000 }],
    [503, { 'retry-after': 'Fri, 31 Dec 1999 23:59:59 GMT' }, { retryAfterMs: 0 }],
    [503, { 'retry-after': 'soon' }, { retryAfterMs: null }],
    [302, {}, { reason: expect.stringContaining('a redirect.') }],
    [302, { location: 'http://[' }, { reason: expect.stringContaining('a redirect.') }],
  ])('is refused with %s and %j', async (status, headers, expected) => {
    await using receiver = await startReceiver((response) => response.writeHead(status, headers).end());
    const result = await post(receiver.origin, { allowHosts: [receiver.host] });
    expect(result).toMatchObject({ kind: 'refused', status, ...expected });
  });

  it('follows no redirect, and says to which host it led, without the secret in its path', async () => {
    await using inside = await startReceiver((response) => response.end());
    await using receiver = await startReceiver((response) =>
      response.writeHead(307, { location: `${inside.origin}/services/secret?token=secret` }).end(),
    );
    const result = await post(receiver.origin, { allowHosts: [receiver.host, inside.host] });
    expect(result).toMatchObject({
      kind: 'refused',
      status: 307,
      reason: `The receiver answered 307, a redirect to ${inside.origin}. Redirects are not followed: set the URL that it leads to.`,
    });
    expect(inside.received).toEqual([]);
  });

  it('reads the status of an answer without an end, and no more of it than a little', async () => {
    await using receiver = await startReceiver((response) => {
      response.writeHead(200);
      const fill = () => {
        while (response.write('x'.repeat(65_536)));
        response.once('drain', fill);
      };
      fill();
    });
    expect(await post(receiver.origin, { allowHosts: [receiver.host] })).toMatchObject({ kind: 'accepted' });
  });

  it('ends with its signal while the receiver says nothing', async () => {
    const giveUp = new AbortController();
    await using receiver = await startReceiver(() => giveUp.abort(new Error('too late')));
    await expect(post(receiver.origin, { allowHosts: [receiver.host] }, giveUp.signal)).rejects.toThrow('too late');
  });

  it('is refused by a receiver that is not there or hangs up', async () => {
    const nobody = `127.0.0.1:${await freePort()}`;
    expect(await post(`http://${nobody}/`, { allowHosts: [nobody] })).toMatchObject({
      status: null,
      reason: 'The receiver refused the connection.',
    });
    await using receiver = await startReceiver((response) => response.destroy());
    expect(await post(receiver.origin, { allowHosts: [receiver.host] })).toMatchObject({
      reason: 'The receiver closed the connection without an answer.',
    });
  });

  it('takes no proxy of the environment', async () => {
    await using proxy = await startReceiver((response) => response.writeHead(502).end());
    await using receiver = await startReceiver((response) => response.end());
    for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'ALL_PROXY'])
      vi.stubEnv(name, proxy.origin);
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    expect(await post(receiver.origin, { allowHosts: [receiver.host] })).toMatchObject({ kind: 'accepted' });
    expect(proxy.received).toEqual([]);
  });
});

describe('the address of a webhook', () => {
  const notPublic = { kind: 'refused', status: null, reason: expect.stringContaining('not public') };

  it('is checked where the URL names it', async () => {
    await using inside = await startReceiver((response) => response.end());
    for (const host of ['127.0.0.1', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]'])
      expect(await post(`https://${host}:${inside.port}/`)).toMatchObject(notPublic);
    expect(inside.received).toEqual([]);
  });

  it.each([[['127.0.0.1']], [[PUBLIC, '127.0.0.1']], [['::1', PUBLIC]], [['10.1.2.3']], [['169.254.169.254']]])(
    'is refused when a name has %j',
    async (addresses) => {
      expect(await post('https://hooks.example.test/', { hosts: scriptedHosts(() => addresses) })).toMatchObject(
        notPublic,
      );
    },
  );

  it('is the one that was checked: a name that changes between two questions reaches nothing private', async () => {
    await using inside = await startReceiver((response) => response.end());
    const asked: string[] = [];
    const hosts = scriptedHosts((host) => {
      asked.push(host);
      return [asked.length === 1 ? PUBLIC : '127.0.0.1'];
    });
    const connected: string[] = [];
    vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args: unknown[]) {
      const options = args.flat().find((arg) => typeof arg === 'object') as { host: string; lookup: LookupFunction };
      for (let count = 0; count < 2; count += 1)
        options.lookup(options.host, { all: true }, (_error, found) => connected.push(JSON.stringify(found)));
      setImmediate(() => this.destroy(new Error('there is no network in this test')));
      return this;
    });
    const url = `https://rebinding.example.test:${inside.port}/`;
    expect(await post(url, { hosts })).toMatchObject({ kind: 'refused' });
    const pinned = JSON.stringify([{ address: PUBLIC, family: 4 }]);
    expect([asked, connected]).toEqual([['rebinding.example.test'], [pinned, pinned]]);
    expect(await post(url, { hosts })).toMatchObject(notPublic);
    expect(asked).toHaveLength(2);
    expect(inside.received).toEqual([]);
  });

  it('may be private where the operator lists the name, and the name is asked for once', async () => {
    await using receiver = await startReceiver((response) => response.end());
    const asked: unknown[] = [];
    const hosts = scriptedHosts((host, { owner }) => {
      asked.push([host, owner]);
      return ['127.0.0.1'];
    });
    const url = `http://chat.lan:${receiver.port}/`;
    expect(await post(url, { hosts, allowHosts: [`chat.lan:${receiver.port}`] })).toMatchObject({
      kind: 'accepted',
    });
    expect(asked).toEqual([['chat.lan', 'user-1']]);
    expect(receiver.received[0]?.headers.host).toBe(`chat.lan:${receiver.port}`);
    expect(await post(url, { hosts })).toMatchObject({ reason: expect.stringContaining('not https') });
  });

  it('must have a certificate for its name', async () => {
    await using server = await startTls();
    const url = `https://chat.lan:${server.port}/`;
    const rules = { hosts: scriptedHosts(() => ['127.0.0.1']), allowHosts: [`chat.lan:${server.port}`] };
    expect(await post(url, rules)).toMatchObject({
      reason: 'The certificate of the receiver is not valid (DEPTH_ZERO_SELF_SIGNED_CERT).',
    });
  });
});

async function startTls() {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-tls-'));
  const file = (name: string) => join(folder, name);
  const subject = ['-subj', '/CN=chat.lan', '-addext', 'subjectAltName=DNS:chat.lan'];
  const out = ['-keyout', file('key'), '-out', file('cert')];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...subject, ...out], {
    stdio: 'ignore',
  });
  const options = { key: readFileSync(file('key')), cert: readFileSync(file('cert')) };
  rmSync(folder, { recursive: true });
  const server = createServer(options, (_request, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
