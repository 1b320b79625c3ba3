import { createTRPCClient, httpBatchLink, httpBatchStreamLink } from '@trpc/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RouteMeta, rateLimitOf } from '../src/procedure/route-meta.ts';
import { type AppRouter, appRouter } from '../src/transport/trpc/app-router.ts';
import { type Login, type RunningApi, startApi } from './start-api.ts';

let api: RunningApi;
let ada: Login;
beforeEach(async () => {
  api = await startApi();
  ada = await api.login();
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
});

const limits = [
  { name: 'login', method: 'POST', path: '/api/auth/login', points: 5, window: 60, user: false },
  { name: 'register', method: 'POST', path: '/api/auth/register', points: 5, window: 60, user: false },
  { name: 'reset_password', method: 'POST', path: '/api/auth/password-reset', points: 10, window: 3_600, user: false },
  {
    name: 'use_link',
    method: 'POST',
    path: '/api/auth/password-reset/confirm',
    points: 20,
    window: 60,
    user: false,
  },
  { name: 'start_codehost_login', method: 'POST', path: '/api/auth/codehost', points: 20, window: 60, user: false },
  { name: 'create_issue', method: 'POST', path: '/api/issues', points: 10, window: 3_600, user: true },
  { name: 'create_repo', method: 'POST', path: '/api/repos', points: 5, window: 3_600, user: true },
  { name: 'run_issue', method: 'POST', path: '/api/issues/x/run', points: 30, window: 3_600, user: true },
  { name: 'send_message', method: 'POST', path: '/api/issues/x/messages', points: 60, window: 3_600, user: true },
  { name: 'upload_attachment', method: 'POST', path: '/api/attachments', points: 60, window: 3_600, user: true },
  { name: 'mutation', method: 'POST', path: '/api/issues/x/approve', points: 120, window: 60, user: true },
  { name: 'invite', method: 'POST', path: '/api/repos/x/invitations', points: 60, window: 3_600, user: true },
  { name: 'compare_base', method: 'GET', path: '/api/issues/x/base', points: 30, window: 60, user: true },
  { name: 'list_codehost_issues', method: 'GET', path: '/api/repos/x/issues', points: 60, window: 60, user: true },
  { name: 'search_code', method: 'GET', path: '/api/repos/x/search?q=x', points: 60, window: 60, user: true },
  { name: 'list_codehost_repos', method: 'GET', path: '/api/codehost/repos', points: 30, window: 60, user: true },
];

describe('rate limits', () => {
  it.each(limits)('$name: $points requests in $window seconds, then 429 that says all of it', async (limit) => {
    const as = limit.user ? ada : undefined;
    for (let count = 0; count < limit.points; count += 1) {
      const json = limit.method === 'POST' ? { wrong: 'on purpose' } : undefined;
      expect((await api.call(limit.method, limit.path, { as, json })).status).not.toBe(429);
    }
    const refused = await api.call(limit.method, limit.path, { as });
    expect(refused.status).toBe(429);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(limit.window);
    expect(refused.body).toEqual({
      detail: expect.stringContaining(String(limit.points)),
      code: 'rate_limited',
      limit: limit.points,
      window_seconds: limit.window,
      retry_after_seconds: seconds,
      request_id: expect.any(String),
    });
    expect(refused.headers.get('ratelimit-policy')).toBe(`"${limit.name}";q=${limit.points};w=${limit.window}`);
    expect(refused.headers.get('ratelimit')).toBe(`"${limit.name}";r=0;t=${seconds}`);

    // Limits by user: the next user has the full limit, and calls without a session are not counted.
    if (limit.user) {
      const other = await api.login();
      expect((await api.call(limit.method, limit.path, { as: other })).status).not.toBe(429);
      expect((await api.call(limit.method, limit.path)).status).toBe(401);
    }
  });

  it('counts every mutation that has no limit of its own together, over REST and tRPC, and leaves the others alone', async () => {
    const repo = await api.repo(ada);
    const mutations = [
      () => api.call('PATCH', `/api/repos/${repo.id}`, { as: ada, json: {} }),
      () => api.call('DELETE', '/api/issues/x', { as: ada }),
      () => api.call('POST', '/api/issues/x/approve', { as: ada, raw: '{' }),
      () => api.call('POST', '/api/trpc/issues.cancel', { as: ada, json: { id: 'x' } }),
      () => api.call('POST', '/api/trpc/repos.update', { as: ada, json: { id: repo.id } }),
    ];
    const answers = [];
    for (let count = 0; count < 120; count += 1) answers.push(await mutations[count % mutations.length]?.());
    expect(answers.map((answer) => answer?.status)).not.toContain(429);
    for (const mutate of mutations) expect((await mutate()).status).toBe(429);

    expect((await api.call('GET', '/api/issues', { as: ada })).status).toBe(200);
    expect((await api.call('POST', '/api/issues', { as: ada, json: {} })).status).toBe(400);
    expect((await api.call('POST', '/api/auth/login', { json: {} })).status).toBe(400);
    const other = await api.login();
    expect((await api.call('PATCH', `/api/repos/${repo.id}`, { as: other, json: {} })).status).toBe(403);
  });

  it('leave a way to end a stolen session that uses them up', async () => {
    const sessions = await api.call('GET', '/api/auth/sessions', { as: ada });
    const { items } = sessions.body as { items: { id: string }[] };
    for (let count = 0; count < 121; count += 1) await api.call('DELETE', '/api/issues/x', { as: ada });
    expect((await api.call('DELETE', '/api/issues/x', { as: ada })).status).toBe(429);
    expect((await api.call('DELETE', '/api/auth/sessions/x', { as: ada })).status).toBe(404);
    expect((await api.call('DELETE', `/api/auth/sessions/${items[0]?.id}`, { as: ada })).status).toBe(204);
    const again = await api.login();
    expect((await api.call('POST', '/api/auth/logout', { as: again })).status).toBe(204);
  });

  it('hold for every mutation of a session but those that end one', () => {
    const without = Object.entries(appRouter._def.procedures).flatMap(([name, procedure]) => {
      const { type, meta } = (procedure as unknown as { _def: { type: string; meta: RouteMeta } })._def;
      return type === 'mutation' && rateLimitOf(meta) === undefined ? [name] : [];
    });
    expect(without).toEqual(['auth.logout', 'auth.sessions.revoke', 'auth.oidc.logout', 'tokens.revoke']);
  });

  it('counts malformed, oversized and wrongly typed requests, before their body is read', async () => {
    const send = (raw: string, type = 'application/json') =>
      api.call('POST', '/api/auth/login', { raw, headers: { 'content-type': type } });
    expect((await send('{')).status).toBe(400);
    expect((await send(`{"email":"${'a'.repeat(1_100_000)}"}`)).status).toBe(413);
    expect((await send('{}', 'text/plain')).status).toBe(415);
    expect((await send('[]')).status).toBe(400);
    expect((await send('{}')).status).toBe(400);
    expect((await send('{')).status).toBe(429);
    expect((await send(`{"email":"${'a'.repeat(1_100_000)}"}`)).status).toBe(429);
  });

  it('checks the session before the limit, the limit before the body, the body before existence', async () => {
    const other = await api.login();
    const issue = await api.issue(other);
    const approve = (as: Login | undefined, id: string, json: unknown) =>
      api.call('POST', `/api/issues/${id}/approve`, { as, json });
    const absent = '0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4f';
    expect((await approve(undefined, absent, { nonsense: 1 })).status).toBe(401);
    expect((await approve(ada, absent, { nonsense: 1 })).status).toBe(400);
    expect((await approve(ada, absent, { action: 'approve' })).status).toBe(404);
    expect((await approve(ada, issue.id, { action: 'approve' })).status).toBe(403);
    expect((await approve(other, issue.id, { action: 'approve' })).status).toBe(409);
  });

  it('counts calls over tRPC with the same counter, also each call of a batch, also a malformed one', async () => {
    const client = createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: `${api.url}/api/trpc` })] });
    const attempt = () => client.auth.login.mutate({ email: 'nobody@example.com', password: 'wrong' });
    const batch = await Promise.allSettled([attempt(), attempt(), attempt()]);
    for (const one of batch) expect(one).toMatchObject({ reason: { data: { code: 'UNAUTHORIZED', httpStatus: 401 } } });
    await api.call('POST', '/api/trpc/auth.login', { raw: '{', headers: { 'content-type': 'application/json' } });
    expect((await api.call('POST', '/api/auth/login', { json: {} })).status).toBe(400);
    expect((await api.call('POST', '/api/auth/login', { json: {} })).status).toBe(429);
    const late = await Promise.allSettled([attempt()]);
    expect(late[0]).toMatchObject({
      reason: { data: { code: 'TOO_MANY_REQUESTS', httpStatus: 429, error: { code: 'rate_limited', limit: 5 } } },
    });
    const raw = await api.call('POST', '/api/trpc/auth.login', { json: {} });
    expect(raw.status).toBe(429);
    expect(Number(raw.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(raw.headers.get('ratelimit-policy')).toBe('"login";q=5;w=60');
  });

  it('gives a batch no way round: of eight calls in one request three are refused', async () => {
    const names = Array.from({ length: 8 }, () => 'auth.login').join(',');
    const json = Object.fromEntries(
      Array.from({ length: 8 }, (_, index) => [index, { email: 'a@b.de', password: 'x' }]),
    );
    const answer = await api.call('POST', `/api/trpc/${names}?batch=1`, { json });
    const codes = (answer.body as unknown as { error: { data: { code: string } } }[]).map(
      ({ error }) => error.data.code,
    );
    expect(codes.sort()).toEqual([...Array(3).fill('TOO_MANY_REQUESTS'), ...Array(5).fill('UNAUTHORIZED')]);
  });

  it('goes by the address of the connection, and by X-Forwarded-For only behind a trusted proxy', async () => {
    const login = (server: RunningApi, from: string) =>
      server.call('POST', '/api/auth/login', { json: {}, headers: { 'x-forwarded-for': from } });
    for (let count = 0; count < 5; count += 1) await login(api, `192.0.2.${count}`);
    expect((await login(api, '192.0.2.9')).status).toBe(429);

    await using proxied = await startApi({ trustProxy: ['loopback'] });
    for (let count = 0; count < 5; count += 1) await login(proxied, '203.0.113.7, 192.0.2.1');
    expect((await login(proxied, '192.0.2.1')).status).toBe(429); // the nearest one that is not trusted
    expect((await login(proxied, '192.0.2.2')).status).toBe(400);

    await using elsewhere = await startApi({ trustProxy: ['10.0.0.0/8', '192.0.2.1'] });
    for (let count = 0; count < 5; count += 1) await login(elsewhere, `198.51.100.${count}`);
    expect((await login(elsewhere, '198.51.100.9')).status).toBe(429);
  });

  it('counts all addresses of one IPv6 network together, and each spelling of an address as that address', async () => {
    await using proxied = await startApi({ trustProxy: ['loopback'] });
    const login = async (from: string) =>
      (await proxied.call('POST', '/api/auth/login', { json: {}, headers: { 'x-forwarded-for': from } })).status;
    const statuses = async (addresses: readonly string[]) => {
      const found: number[] = [];
      for (const address of addresses) found.push(await login(address));
      return found;
    };
    const afterFive = [400, 400, 400, 400, 400, 429, 429, 429];
    const inOneNetwork = Array.from({ length: 8 }, (_, at) => `2001:db8:1:2::${at + 1}`);
    expect(await statuses(inOneNetwork)).toEqual(afterFive);
    expect(await login('2001:db8:1:3::1')).toBe(400);
    const spellings = ['203.0.113.9', '::ffff:203.0.113.9', '::FFFF:cb00:7109', '0:0:0:0:0:ffff:203.0.113.9'];
    expect(await statuses([...spellings, ...spellings])).toEqual(afterFive);
    expect(await statuses(Array.from({ length: 8 }, (_, at) => `x${at}`))).toEqual(afterFive);
  });

  it('counts nothing for a request that a foreign page sent', async () => {
    for (let count = 0; count < 8; count += 1) {
      const answer = await api.call('POST', '/api/auth/login', {
        json: {},
        headers: { origin: 'https://evil.example' },
      });
      expect(answer.status).toBe(403);
    }
    expect((await api.call('POST', '/api/auth/login', { json: {} })).status).toBe(400);
  });

  it('refuses a batch of more than twenty calls', async () => {
    const call = (count: number) =>
      api.call('GET', `/api/trpc/${Array.from({ length: count }, () => 'health.live').join(',')}?batch=1`);
    expect((await call(20)).status).toBe(200);
    const refused = await call(21);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining('maximum size')]);
  });

  it('refuses a streamed batch, whose headers go out before a login has set its cookie', async () => {
    const client = createTRPCClient<AppRouter>({
      links: [httpBatchStreamLink({ url: `${api.url}/api/trpc` })],
    });
    await expect(client.health.live.query()).rejects.toThrow();
    const raw = await api.call('GET', '/api/trpc/health.live?batch=1', {
      headers: { 'trpc-accept': 'application/jsonl' },
    });
    expect([raw.status, raw.body.detail]).toEqual([400, 'Streamed batches are not supported: use httpBatchLink.']);
  });
});
