import type { AttemptEnd, Delivery } from '@sluice/core/notification';
import { newId } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Login, type RunningApi, startApi } from './start-api.ts';

const TARGETS = '/api/notifications/targets';
const URL_OF_HOOK = 'https://example.com/hook';

let api: RunningApi;
let ada: Login;
beforeEach(async () => {
  api = await startApi();
  ada = await api.login();
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
});

const post = (path: string, json: object = {}) => api.call('POST', path, { as: ada, json });
const created = async (json: object = {}) => {
  const { status, body } = await post(TARGETS, { url: URL_OF_HOOK, ...json });
  expect(status).toBe(201);
  return body as { id: string; secret: string };
};
/** Claims what is due, as a worker does, and ends it. */
const settle = async (end: Partial<AttemptEnd> = {}) => {
  const due = await api.stores.deliveries.claim('w', {
    limit: 10,
    ttlMs: 60_000,
    perTarget: 10,
    perUser: 100,
    busy: [],
  });
  for (const one of due) {
    const ended = { status: 'delivered', lastStatus: 204, lastError: null, latencyMs: 7, retryInMs: 0, disable: null };
    await api.stores.deliveries.settle('w', one, { ...ended, ...end } as AttemptEnd);
  }
  return due as readonly Delivery[];
};

describe('a notification target', () => {
  it('is made with all kinds and a secret that no later answer has', async () => {
    const answer = await post(TARGETS, { url: URL_OF_HOOK, description: 'The bot' });
    const { secret, ...target } = answer.body;
    expect(target).toMatchObject({ channel: 'webhook', format: 'standard', enabled: true, description: 'The bot' });
    expect(target.events).toContain('budget.warning');
    expect(target.events).not.toContain('test');
    expect(secret).toMatch(/^whsec_/);
    expect(answer.headers.get('location')).toBe(`${TARGETS}/${target.id}`);
    const read = await api.call('GET', `${TARGETS}/${target.id}`, { as: ada });
    expect(read.body).toEqual(target);
    expect((await api.call('GET', TARGETS, { as: ada })).body).toEqual({ items: [target] });
  });

  it.each([
    ['http://example.com/hook', 'is not https (the operator can list its host in NOTIFY_ALLOW_HOSTS)'],
    [
      'https://127.0.0.1/hook',
      'has an address that is not public (the operator can list its host in NOTIFY_ALLOW_HOSTS)',
    ],
    ['https://[fd00::1]/', 'has an address that is not public (the operator can list its host in NOTIFY_ALLOW_HOSTS)'],
    ['https://ada:pw@example.com/', 'contains a user name or a password'],
    ['example.com', 'is not an http or https URL'],
  ])('at %s is a 400 that says why, and nothing is made', async (url, reason) => {
    const answer = await post(TARGETS, { url });
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.objectContaining({
        code: 'notification_url_refused',
        detail: `Notifications cannot be sent to this URL: it ${reason}.`,
        errors: [{ path: 'url', message: reason }],
      }),
    ]);
    const { id } = await created();
    const changed = await api.call('PATCH', `${TARGETS}/${id}`, { as: ada, json: { url } });
    expect(changed.body).toMatchObject({ code: 'notification_url_refused' });
    expect((await api.call('GET', `${TARGETS}/${id}`, { as: ada })).body.url).toBe(URL_OF_HOOK);
  });

  it.each([
    [{}, 'url'],
    [{ channel: 'email', url: URL_OF_HOOK }, 'url'],
    [{ url: URL_OF_HOOK, events: [] }, 'events'],
    [{ url: URL_OF_HOOK, events: ['issue.failed', 'issue.failed'] }, 'events'],
    [{ url: URL_OF_HOOK, events: ['test'] }, 'events.0'],
    [{ url: URL_OF_HOOK, format: 'fax' }, 'format'],
  ])('%j is a 400 that names %s', async (json, path) => {
    const answer = await post(TARGETS, json);
    expect([answer.status, answer.body.errors]).toEqual([400, [expect.objectContaining({ path })]]);
  });

  it('for e-mail is made once, for what asks a person, and has no secret', async () => {
    const first = await post(TARGETS, { channel: 'email' });
    expect(first.body).toMatchObject({
      channel: 'email',
      url: null,
      secret: null,
      events: ['gate.opened', 'question.asked', 'publish_gate.opened', 'issue.failed'],
    });
    const second = await post(TARGETS, { channel: 'email' });
    expect([second.status, second.body]).toEqual([
      409,
      expect.objectContaining({ code: 'notification_email_exists', target_id: first.body.id }),
    ]);
    const rotated = await post(`${TARGETS}/${first.body.id}/rotate-secret`);
    expect([rotated.status, rotated.body.code]).toEqual([409, 'notification_without_secret']);
  });

  it('for e-mail is a 409 where the server sends none, which `GET /api/server` says', async () => {
    await using mute = await startApi({
      ports: { notificationRules: { ...api.deps.notificationRules, sendsEmail: false } },
    });
    const as = await mute.login();
    const answer = await mute.call('POST', TARGETS, { as, json: { channel: 'email' } });
    expect([answer.status, answer.body.code]).toEqual([409, 'email_not_configured']);
    expect((await mute.call('GET', '/api/server', { as })).body).toMatchObject({ details: { sends_email: false } });
    expect((await api.call('GET', '/api/server', { as: ada })).body).toMatchObject({ details: { sends_email: true } });
  });

  it('is changed member by member, disabled with a reason, and enabled again', async () => {
    const { id } = await created();
    const change = async (json: object) => (await api.call('PATCH', `${TARGETS}/${id}`, { as: ada, json })).body;
    expect(await change({ events: ['issue.failed'], format: 'slack', description: null })).toMatchObject({
      events: ['issue.failed'],
      format: 'slack',
      url: URL_OF_HOOK,
      enabled: true,
    });
    expect(await change({ enabled: false })).toMatchObject({
      enabled: false,
      disabled_at: expect.any(String),
      disabled_reason: 'You disabled it.',
      format: 'slack',
    });
    const refused = await post(`${TARGETS}/${id}/test`);
    expect([refused.status, refused.body.code]).toEqual([409, 'notification_target_disabled']);
    expect(await change({ enabled: true })).toMatchObject({ enabled: true, disabled_at: null, disabled_reason: null });
    expect((await api.call('GET', '/api/audit', { as: ada })).body.items).toMatchObject([
      { action: 'notification.changed', detail: { fields: ['enabled'] } },
      { action: 'notification.changed' },
      { action: 'notification.changed', detail: { fields: ['description', 'events', 'format'] } },
      { action: 'notification.created', subject: { kind: 'notification', id }, detail: { channel: 'webhook' } },
    ]);
  });

  it('is gone with its deliveries when it is deleted', async () => {
    const { id } = await created();
    await post(`${TARGETS}/${id}/test`);
    expect((await api.call('DELETE', `${TARGETS}/${id}`, { as: ada })).status).toBe(204);
    for (const path of ['', '/deliveries']) {
      const answer = await api.call('GET', `${TARGETS}/${id}${path}`, { as: ada });
      expect([answer.status, answer.body.code]).toEqual([404, 'notification_target_not_found']);
    }
  });

  it('gets a new secret, beside which the old one signs for a day or no longer', async () => {
    const { id, secret } = await created();
    const rotated = await post(`${TARGETS}/${id}/rotate-secret`);
    expect([rotated.status, rotated.body.secret]).toEqual([200, expect.stringMatching(/^whsec_/)]);
    expect(rotated.body.secret).not.toBe(secret);
    expect(await api.stores.notifications.secrets(id)).toHaveLength(2);
    await post(`${TARGETS}/${id}/rotate-secret`, { expire_old_now: true });
    expect(await api.stores.notifications.secrets(id)).toHaveLength(1);
  });
});

describe('the deliveries of a target', () => {
  it('are a test, its result, and each replay under the same message id', async () => {
    const { id } = await created();
    const deliveries = async (query = '') =>
      (await api.call('GET', `${TARGETS}/${id}/deliveries${query}`, { as: ada })).body.items as { id: string }[];
    const test = await post(`${TARGETS}/${id}/test`);
    expect([test.status, test.body]).toEqual([
      201,
      expect.objectContaining({
        status: 'pending',
        attempts: 0,
        notification: expect.objectContaining({ type: 'test', data: { target_id: id, url: `${api.url}/settings` } }),
      }),
    ]);
    const early = await post(`${TARGETS}/${id}/replay`, { delivery_id: test.body.id });
    expect([early.status, early.body.code]).toEqual([409, 'delivery_pending']);
    await settle({ status: 'given_up', lastStatus: 500, lastError: 'The receiver answered 500.' });
    expect(await deliveries('?status=given_up')).toMatchObject([
      { id: test.body.id, last_status: 500, last_error: 'The receiver answered 500.', latency_ms: 7, attempts: 1 },
    ]);
    const again = await post(`${TARGETS}/${id}/replay`, { delivery_id: test.body.id });
    expect(again.body).toEqual({ replayed: 1, next_from: null });
    await settle();
    expect(await deliveries()).toMatchObject([
      { status: 'delivered', replay_of: test.body.id, message_id: test.body.message_id, next_attempt_at: null },
      { status: 'given_up' },
    ]);
    expect(await deliveries('?status=pending')).toEqual([]);
  });

  it('of a range of time are replayed, all of them or those that were given up', async () => {
    const { id } = await created();
    const from = '2026-01-01T00:00:00+01:00';
    const replay = async (json: object) => (await post(`${TARGETS}/${id}/replay`, json)).body;
    for (const end of [{ status: 'given_up' }, {}] as const) {
      await post(`${TARGETS}/${id}/test`);
      await settle(end);
    }
    const to = '2100-01-01T00:00:00Z';
    expect(await replay({ from, to, only_given_up: true })).toEqual({ replayed: 1, next_from: null });
    // The other one is pending again.
    expect(await replay({ from, to })).toEqual({ replayed: 1, next_from: null });
    expect(await replay({ from, to: '2026-01-02T00:00:00Z' })).toEqual({ replayed: 0, next_from: null });
  });

  it.each([
    [{}, 'delivery_id'],
    [{ from: '2026-01-01T00:00:00Z' }, 'delivery_id'],
    [{ delivery_id: newId(), from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }, 'delivery_id'],
    [{ delivery_id: newId(), only_given_up: true }, 'only_given_up'],
    [{ from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }, 'to'],
    [{ from: 'yesterday', to: 'today' }, 'from'],
    [{ from: '0000-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }, 'from'],
    [{ from: '2026-01-01T00:00:00Z', to: '9999-12-31T23:59:59-01:00' }, 'to'],
  ])('are not replayed for %j, a 400 that names %s', async (json, path) => {
    const { id } = await created();
    const answer = await post(`${TARGETS}/${id}/replay`, json);
    expect([answer.status, (answer.body.errors as { path: string }[])[0]?.path]).toEqual([400, path]);
  });

  it('of another target are a 404 in a replay', async () => {
    const { id } = await created();
    const { id: other } = await created();
    const test = await post(`${TARGETS}/${other}/test`);
    const answer = await post(`${TARGETS}/${id}/replay`, { delivery_id: test.body.id });
    expect([answer.status, answer.body.code]).toEqual([404, 'delivery_not_found']);
  });
});

describe('one-click unsubscribe', () => {
  const UNSUBSCRIBE = '/api/notifications/unsubscribe';
  const isOn = async (id: string) => (await api.stores.notifications.target(id))?.disabledAt === null;
  const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const linkTo = async (json: object = { channel: 'email' }) => {
    const { body } = await post(TARGETS, json);
    const id = String(body.id);
    return { id, link: `${UNSUBSCRIBE}?token=${encodeURIComponent(api.deps.unsubscribeTokens.issue(id))}` };
  };

  it('asks a person with a page that may not be framed, and changes nothing by being opened', async () => {
    const { id, link } = await linkTo();
    for (const method of ['GET', 'HEAD']) {
      const answer = await api.call(method, link, { headers: html });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const policy = answer.headers.get('content-security-policy');
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    }
    expect((await api.call('GET', link)).text).toContain('<form method="post">');
    expect(await isOn(id)).toBe(true);
  });

  it.each([
    ['of a mail program', { 'content-type': 'application/x-www-form-urlencoded' }, 'List-Unsubscribe=One-Click'],
    ['from any origin', { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' }, ''],
    ['of the page itself', { ...html, origin: 'null', 'content-type': 'application/x-www-form-urlencoded' }, ''],
    ['in parts', { 'content-type': 'multipart/form-data; boundary=x' }, '--x--'],
  ])('turns the e-mails off by a POST %s, and answers 200 to each further one', async (_, headers, raw) => {
    const { id, link } = await linkTo();
    for (let count = 0; count < 3; count += 1) {
      expect((await api.call('POST', link, { headers, raw })).status).toBe(200);
      expect(await isOn(id)).toBe(false);
    }
    expect((await api.call('GET', `${TARGETS}/${id}`, { as: ada })).body).toMatchObject({
      enabled: false,
      disabled_reason: 'You unsubscribed by the link in an e-mail.',
    });
    const { items } = (await api.call('GET', '/api/audit', { as: ada })).body as { items: { action: string }[] };
    expect(items.map(({ action }) => action)).toEqual(['notification.unsubscribed', 'notification.created']);
  });

  it('is a 400 for what is no token, as a page for browsers, and turns no webhook off', async () => {
    const hook = await linkTo({ url: URL_OF_HOOK });
    const gone = await linkTo();
    await api.call('DELETE', `${TARGETS}/${gone.id}`, { as: ada });
    for (const [method, link] of [
      ['GET', UNSUBSCRIBE],
      ['GET', `${UNSUBSCRIBE}?token=forged`],
      ['POST', `${UNSUBSCRIBE}?token=forged`],
      ['POST', `${UNSUBSCRIBE}?token=off:${newId()}`],
      ['POST', hook.link],
      ['POST', gone.link],
    ] as const) {
      const answer = await api.call(method, link);
      expect([answer.status, answer.body?.code], link).toEqual([400, 'unsubscribe_token_invalid']);
      const page = await api.call(method, link, { headers: html });
      expect([page.status, page.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
      expect(page.text).toContain('This link is not valid');
    }
    expect(await isOn(hook.id)).toBe(true);
  });
});
