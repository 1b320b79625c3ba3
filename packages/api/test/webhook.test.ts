import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { ChangedSubject, CodeHostWebhooks } from '@sluice/core/code-host';
import { afterEach, describe, expect, it } from 'vitest';
import { type RunningApi, startApi } from './start-api.ts';

const PATH = '/api/codehost/webhook';
const SECRET = 'of the webhook';
const subject: ChangedSubject = { codehostRepoId: '42', kind: 'issue', number: 7 };

/** Deliveries in a form of the test's own: what a provider's look like is its adapter's matter. */
const webhooks: CodeHostWebhooks = {
  read: ({ headers, body }) => {
    const wanted = Buffer.from(signatureOf(body));
    const given = Buffer.from(headers['x-hub-signature-256'] ?? '');
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
    return { id: headers['x-github-delivery'] ?? '', changed: JSON.parse(Buffer.from(body).toString()).changed };
  },
};

function signatureOf(body: Uint8Array | string): string {
  return `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
}

let open: RunningApi[] = [];
afterEach(async () => {
  await Promise.all(open.map((api) => api[Symbol.asyncDispose]()));
  open = [];
});

async function start(given: CodeHostWebhooks | null = webhooks) {
  const api = await startApi({ ports: { codehost: { identity: {} as never, host: {} as never, webhooks: given } } });
  open.push(api);
  return api;
}

function deliver(api: RunningApi, delivery: { id: string; subject?: ChangedSubject | null; headers?: object }) {
  const raw = JSON.stringify({ changed: delivery.subject === undefined ? subject : delivery.subject });
  const headers = {
    'content-type': 'application/json',
    'x-github-delivery': delivery.id,
    'x-hub-signature-256': signatureOf(raw),
    ...delivery.headers,
  };
  return api.call('POST', PATH, { raw, headers });
}

const marked = (api: RunningApi) => api.stores.codehostInbox.claim('looker', { limit: 10, ttlMs: 1 });

describe('a delivery of the code host', () => {
  it('is noted and its subject marked, with 202 and without a session', async () => {
    const api = await start();
    const answer = await deliver(api, { id: 'd-1' });
    expect([answer.status, answer.text]).toEqual([202, '']);
    expect(await marked(api)).toEqual([expect.objectContaining(subject)]);
  });

  it('is answered 200 when it was seen before, and marks nothing', async () => {
    const api = await start();
    await deliver(api, { id: 'd-1' });
    for (const one of await marked(api)) await api.stores.codehostInbox.settle('looker', one);
    expect((await deliver(api, { id: 'd-1' })).status).toBe(200);
    expect(await marked(api)).toEqual([]);
  });

  it('that concerns nothing of ours is taken all the same', async () => {
    const api = await start();
    expect((await deliver(api, { id: 'ping', subject: null })).status).toBe(202);
    expect(await marked(api)).toEqual([]);
  });

  it('is refused with 401 when its signature is missing or wrong, and leaves nothing behind', async () => {
    const api = await start();
    const forged = `sha256=${'0'.repeat(64)}`;
    for (const signature of [forged, '', 'sha1=abc', signatureOf('another body')]) {
      const answer = await deliver(api, { id: 'd-1', headers: { 'x-hub-signature-256': signature } });
      expect([answer.status, answer.body.code]).toEqual([401, 'delivery_unsigned']);
    }
    expect(await marked(api)).toEqual([]);
    expect((await deliver(api, { id: 'd-1' })).status).toBe(202);
  });

  it('is signed over its very bytes: one space more is a forgery', async () => {
    const api = await start();
    const raw = JSON.stringify({ changed: subject });
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signatureOf(raw) };
    expect((await api.call('POST', PATH, { raw: `${raw} `, headers })).status).toBe(401);
  });

  it('is refused with 409 where no code host, or no secret, is configured', async () => {
    const none = await startApi();
    open.push(none);
    expect((await deliver(none, { id: 'd-1' })).body.code).toBe('codehost_not_configured');
    const answer = await deliver(await start(null), { id: 'd-1' });
    expect([answer.status, answer.body.code]).toEqual([409, 'codehost_webhook_not_configured']);
    expect(answer.body.detail).toContain('CODEHOST_WEBHOOK_SECRET');
  });

  it('is refused with 413 above two mebibytes, and taken below', async () => {
    const api = await start();
    const send = (bytes: number) => {
      const raw = JSON.stringify({ changed: subject, filler: 'x'.repeat(bytes) });
      const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signatureOf(raw) };
      return api.call('POST', PATH, { raw, headers });
    };
    expect((await send(2 * 1_048_576 - 1_000)).status).toBe(202);
    const answer = await send(2 * 1_048_576);
    expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
      413,
      'body_too_large',
      'The delivery is larger than 2 MiB.',
    ]);
  });

  it('is refused with 415 when it is sent as a form or compressed, and with 405 by another method', async () => {
    const api = await start();
    for (const headers of [
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-encoding': 'gzip', 'content-type': 'application/json' },
    ]) {
      expect((await deliver(api, { id: 'd-1', headers })).status).toBe(415);
    }
    const answer = await api.call('GET', PATH);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('is refused with 503 when it could not be noted, and taken when it is sent again', async () => {
    let isAway = true;
    const api = await start();
    const { deliver: note } = api.stores.codehostInbox;
    const away = await startApi({
      ports: {
        codehost: { identity: {} as never, host: {} as never, webhooks },
        codehostInbox: {
          ...api.stores.codehostInbox,
          deliver: (...told) => (isAway ? Promise.reject(new Error('the disk is full')) : note(...told)),
        },
      },
    });
    open.push(away);
    const answer = await deliver(away, { id: 'd-1' });
    expect([answer.status, answer.body.code]).toEqual([503, 'not_ready']);
    expect(answer.text).not.toContain('disk');
    expect(away.logged.some(({ level }) => level === 'error')).toBe(true);
    isAway = false;
    expect((await deliver(away, { id: 'd-1' })).status).toBe(202);
    expect(await marked(api)).toHaveLength(1);
  });

  it('is looked at for its signature alone: neither an origin nor a cookie makes a difference', async () => {
    const api = await start();
    const ada = await api.login();
    const foreign = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site', cookie: ada.cookie };
    const taken = await deliver(api, { id: 'd-1', headers: foreign });
    expect(taken.status).toBe(202);
    expect(taken.headers.get('access-control-allow-origin')).toBeNull();
    expect(taken.headers.get('set-cookie')).toBeNull();
    const headers = { ...foreign, 'x-hub-signature-256': '' };
    expect((await deliver(api, { id: 'd-2', headers })).status).toBe(401);
  });

  it('that breaks off before its end leaves nothing behind', async () => {
    const api = await start();
    const begun = once(api.server, 'request');
    const socket = connect(api.port, '127.0.0.1').on('error', () => undefined);
    socket.write(
      `POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"subject":`,
    );
    const [request] = await begun;
    const gone = once(request.socket, 'close');
    socket.destroy();
    await gone;
    expect((await deliver(api, { id: 'd-1' })).status).toBe(202);
    expect(await marked(api)).toHaveLength(1);
    expect(api.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
