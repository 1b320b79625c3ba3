import { type RateLimits, rateLimits } from '@sluice/core/request';
import { createMemoryLimiter } from '@sluice/redis';
import { describe, expect, it } from 'vitest';
import { type Login, type RunningApi, startApi } from './start-api.ts';

const startWith = (limits: Partial<RateLimits>) =>
  startApi({ ports: { limiter: createMemoryLimiter({ ...rateLimits, ...limits }) } });

const PASSWORD = 'correct horse battery';

async function registered(api: RunningApi): Promise<string> {
  const email = 'ada@example.com';
  const { status } = await api.call('POST', '/api/auth/register', { json: { email, password: PASSWORD } });
  expect(status).toBe(201);
  return email;
}

const login = async (api: RunningApi, email: string, password: string) =>
  (await api.call('POST', '/api/auth/login', { json: { email, password } })).status;

const overTrpc = async (api: RunningApi, email: string, password: string) =>
  (await api.call('POST', '/api/trpc/auth.login', { json: { email, password } })).status;

const addRepo = (api: RunningApi, as: Login, url: string) => api.call('POST', '/api/repos', { as, json: { url } });

describe('limits that an operator set', () => {
  it('name what is limited, for whom, and how long to wait', async () => {
    await using api = await startWith({ create_repo: { ...rateLimits.create_repo, points: 1 } });
    const ada = await api.login();
    await addRepo(api, ada, 'https://example.test/acme/one');
    const { status, body } = await addRepo(api, ada, 'https://example.test/acme/two');
    expect([status, body.detail]).toEqual([
      429,
      'At most 1 new repository an hour of one user is allowed. Try again in 60 minutes.',
    ]);
    expect(body).toMatchObject({ code: 'rate_limited', limit: 1, window_seconds: 3_600 });
  });

  it('let everything through where one is off', async () => {
    await using api = await startWith({ login: null });
    const statuses = await Promise.all(
      Array.from({ length: 8 }, () => api.call('POST', '/api/auth/login', { json: {} })),
    );
    expect(statuses.map(({ status }) => status)).toEqual(Array(8).fill(400));
  });

  it('count every login by default, also those that succeed', async () => {
    await using api = await startWith({ login: { ...rateLimits.login, points: 2 } });
    const email = await registered(api);
    const statuses = [];
    for (let count = 0; count < 3; count += 1) statuses.push(await login(api, email, PASSWORD));
    expect(statuses).toEqual([200, 200, 429]);
  });

  it('count only failed logins if set so, over REST and tRPC together, and never let a burst pass the limit', async () => {
    await using api = await startWith({ login: { ...rateLimits.login, points: 2, counts: 'failures' } });
    const email = await registered(api);
    for (let count = 0; count < 3; count += 1) {
      expect(await login(api, email, PASSWORD)).toBe(200);
      expect(await overTrpc(api, email, PASSWORD)).toBe(200);
    }
    const burst = await Promise.all(Array.from({ length: 8 }, () => login(api, email, 'wrong')));
    expect(burst.filter((status) => status === 401)).toHaveLength(2);
    expect(burst.filter((status) => status === 429)).toHaveLength(6);
    const { status, body } = await api.call('POST', '/api/auth/login', { json: { email, password: PASSWORD } });
    expect(status).toBe(429);
    expect(body.detail).toContain('At most 2 failed logins a minute from one address are allowed.');
  });

  it('count a malformed login as a failed one, over both transports', async () => {
    await using api = await startWith({ login: { ...rateLimits.login, points: 2, counts: 'failures' } });
    expect((await api.call('POST', '/api/auth/login', { raw: '{' })).status).toBe(415);
    const asJson = { headers: { 'content-type': 'application/json' } };
    expect((await api.call('POST', '/api/trpc/auth.login', { raw: '{', ...asJson })).status).toBe(400);
    expect((await api.call('POST', '/api/auth/login', { json: {} })).status).toBe(429);
  });

  it('count only accepted creations if set so, and the refused ones as changes', async () => {
    const create_repo = { ...rateLimits.create_repo, points: 2, counts: 'accepted' } as const;
    await using api = await startWith({ create_repo, mutation: { ...rateLimits.mutation, points: 6 } });
    const ada = await api.login();
    const add = async (name: string) => (await addRepo(api, ada, `https://example.test/acme/${name}`)).status;
    for (let count = 0; count < 3; count += 1) expect(await add('absent')).toBe(400);
    expect([await add('one'), await add('two'), await add('three')]).toEqual([201, 201, 429]);
    const refused = await addRepo(api, ada, 'https://example.test/acme/absent');
    expect(refused.headers.get('ratelimit-policy')).toBe('"mutation";q=6;w=60');
  });
});
