import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { json } from 'node:stream/consumers';
import { type ConnectionOptions, connect } from 'node:tls';
import type { IssueWire } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import { describe, expect, it } from 'vitest';
import { signUp } from '../http-session.ts';
import { hasNginx, startNginx, startNginxSite } from '../nginx-proxy.ts';
import { fixingIssue, makeBuggyRepo } from '../scratch-repo.ts';
import { startScratchServer } from '../scratch-server.ts';

/** The version of TLS that a server agrees to. @throws what it refuses the client with */
function handshake(url: string, options: ConnectionOptions): Promise<string | null> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), ...options }, () => {
      resolve(socket.getProtocol());
      socket.end();
    });
    socket.on('error', reject);
  });
}

// Skipped without nginx: anyone who changes deploy/nginx.conf has it installed.
describe.skipIf(!hasNginx())('behind the nginx that is deployed', () => {
  it('forwards every event at once, on a stream that stays open', async () => {
    await using server = await startScratchServer({ ALLOW_LOCAL_REPOS: 'on', TRUST_PROXY: 'loopback' });
    await using proxy = await startNginx(server.url);
    const person = await signUp(server.url);
    const repo = makeBuggyRepo();
    const { body } = await person.call<RepoWire>('POST', '/api/repos', { url: repo.path });
    const { id } = (await person.call<IssueWire>('POST', '/api/issues', { repo_id: body.id, ...fixingIssue })).body;

    // Followed from the start. At the gate the stream stays open and says no more: what is held back would be held still.
    const following = await person.at(proxy.url).following(id, 'awaiting_approval');
    await person.reaches(id, 'awaiting_approval');
    await person.call('POST', `/api/issues/${id}/approve`, { action: 'approve' });
    const events = (await following.all).filter((event) => 'seq' in event);
    expect(events.at(-1)).toMatchObject({ type: 'issue.status', data: { to: 'completed' } });
  });

  it('passes on what the service has compressed', async () => {
    await using server = await startScratchServer();
    await using proxy = await startNginx(server.url);
    const document = await fetch(`${proxy.url}/api/openapi.json`, { headers: { 'accept-encoding': 'br' } });
    expect([document.headers.get('content-encoding'), await document.json()]).toEqual(['br', expect.any(Object)]);
  });

  it('counts attempts by the address that nginx saw, whatever headers the client sends', async () => {
    await using server = await startScratchServer({ TRUST_PROXY: 'loopback' });
    await using proxy = await startNginx(server.url);
    const statuses = new Set<number>();
    for (let attempt = 0; attempt < 40; attempt += 1) {
      const answer = await fetch(`${proxy.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `192.0.2.${attempt}` },
        body: JSON.stringify({ email: `nobody${attempt}@example.com`, password: 'a long enough passphrase' }),
      });
      statuses.add(answer.status);
    }
    expect(statuses).toEqual(new Set([401, 429]));
  });

  it('serves only TLS, with Secure cookies, unbuffered streams, and a limit on bodies', async () => {
    await using server = await startScratchServer({
      TRUST_PROXY: 'loopback',
      PUBLIC_URL: 'https://sluice.example.com',
    });
    await using site = await startNginxSite(server.url);
    const ask = (method: string, path: string, sent: { body?: string; cookie?: string } = {}) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const headers = { 'content-type': 'application/json', ...(sent.cookie ? { cookie: sent.cookie } : {}) };
        const asked = request(`${site.url}${path}`, { method, headers, ca: site.certificate }, resolve);
        asked.on('error', reject).end(sent.body);
      });
    const redirect = await fetch(`${site.plainUrl}/issues?x=1`, { redirect: 'manual' });
    expect([redirect.status, redirect.headers.get('location')]).toEqual([301, 'https://127.0.0.1/issues?x=1']);
    // A program is not led on: it would not notice that it sent its secrets readably.
    const plain = await fetch(`${site.plainUrl}/api/auth/me`, { redirect: 'manual' });
    expect([plain.status, await plain.json()]).toEqual([403, { detail: expect.any(String), code: 'https_required' }]);
    const refused = [
      { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
      { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES128-SHA256' },
    ] as const;
    for (const old of refused) {
      await expect(handshake(site.url, { ...old, ca: site.certificate }), old.ciphers).rejects.toThrow(/alert/);
    }
    expect(await handshake(site.url, { ca: site.certificate })).toBe('TLSv1.3');

    const person = JSON.stringify({ email: 'you@example.com', password: 'a long enough passphrase' });
    const registered = await ask('POST', '/api/auth/register', { body: person });
    expect(await json(registered)).toMatchObject({ email: 'you@example.com' });
    const [cookie = ''] = registered.headers['set-cookie'] ?? [];
    expect(cookie).toContain('; Secure');

    // The stream of everything does not end: what were held back would never come.
    const stream = await ask('GET', '/api/events', { cookie: cookie.split(';')[0] ?? '' });
    for await (const piece of stream.setEncoding('utf8')) {
      if (String(piece).includes('event: stream.opened')) break;
    }
    expect((await ask('POST', '/api/issues', { body: 'x'.repeat(3 << 20) })).statusCode).toBe(413);

    await ask('GET', '/api/notifications/unsubscribe?token=secret-of-the-link');
    await expect.poll(site.log).toContain('/api/notifications/unsubscribe HTTP/1.1"');
    expect(site.log()).not.toContain('secret-of-the-link');
  });
});
