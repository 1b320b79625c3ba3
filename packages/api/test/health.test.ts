import type { HealthCheck } from '@sluice/core/operation';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningApi, startApi } from './start-api.ts';

let api: RunningApi;
beforeEach(async () => {
  api = await startApi();
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
});

const down: HealthCheck = { check: async () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.5:6379')) };
const throwing: HealthCheck = {
  check: () => {
    throw new Error('boom');
  },
};
/** Neither answers nor listens to its signal. */
const deaf: HealthCheck = { check: () => new Promise(() => {}) };

describe('liveness', () => {
  it('is 200 whatever is down, without a session', async () => {
    await using broken = await startApi({ health: { database: down, cache: down, vector_store: down } });
    await broken.stores.close();
    const answer = await broken.call('GET', '/api/health/live');
    expect([answer.status, answer.body]).toEqual([200, { status: 'up' }]);
  });
});

describe('readiness', () => {
  it('is 200 with every check up and how long it took, without a session', async () => {
    const answer = await api.call('GET', '/api/health/ready');
    const up = { status: 'up', latency_ms: expect.any(Number) };
    expect([answer.status, answer.body]).toEqual([
      200,
      { status: 'up', checks: { database: up, cache: up, vector_store: up } },
    ]);
  });

  it.each(['database', 'cache', 'vector_store'])('is 503 that names %s when it is down, and not why', async (name) => {
    for (const check of [down, throwing]) {
      await using broken = await startApi({ health: { [name]: check } });
      const answer = await broken.call('GET', '/api/health/ready');
      expect(answer.status).toBe(503);
      expect(answer.body).toMatchObject({
        detail: `Not usable: ${name}.`,
        code: 'not_ready',
        status: 'down',
        checks: { [name]: { status: 'down' } },
      });
      const states = Object.values(answer.body.checks as Record<string, { status: string }>).map(
        ({ status }) => status,
      );
      expect(states.sort()).toEqual(['down', 'up', 'up']);
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(answer.text).not.toMatch(/ECONN|10\.0|boom/);
    }
  });

  it('has the status of HTTP in a problem, where its own word would stand', async () => {
    await using broken = await startApi({ health: { cache: down } });
    const answer = await broken.call('GET', '/api/health/ready', { headers: { Accept: 'application/problem+json' } });
    expect(JSON.parse(answer.text)).toMatchObject({ status: 503, checks: { cache: { status: 'down' } } });
  });

  it('is 503 when the real database is closed', async () => {
    await api.stores.close();
    expect((await api.call('GET', '/api/health/ready')).body).toMatchObject({
      checks: { database: { status: 'down' } },
    });
  });

  it('ends every check within two seconds, also one that does not listen', async () => {
    await using hanging = await startApi({ health: { cache: deaf, vector_store: deaf } });
    const begun = performance.now();
    expect((await hanging.call('GET', '/api/health/ready')).status).toBe(503);
    expect(performance.now() - begun).toBeLessThan(60_000); // a busy machine; without the limit it never ends
  });
});

describe('a fault of ours', () => {
  it('is a 500 with a short detail, and all of it in the log under the same request id', async () => {
    const login = await api.login();
    await api.stores.close();
    for (const path of ['/api/auth/me', '/api/issues/0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4f/events']) {
      api.logged.length = 0;
      const answer = await api.call('GET', path, { as: login, headers: { 'x-request-id': 'fault-1' } });
      expect(answer.status).toBe(500);
      expect(answer.body).toEqual({
        detail: 'An internal error occurred. The server log has the details under this request id.',
        code: 'internal',
        request_id: 'fault-1',
      });
      const [fault] = api.logged.filter(({ level }) => level === 'error');
      expect(fault?.fields).toMatchObject({ request_id: 'fault-1', err: expect.any(Error) });
    }
  });

  it('writes one line for every request, without its query and its cookie', async () => {
    const login = await api.login();
    await api.call('GET', '/api/issues?q=private', { as: login });
    const [line] = api.logged.filter(({ message }) => message === 'request');
    expect(line?.fields).toMatchObject({ method: 'GET', path: '/api/issues', status: 200, ip: '127.0.0.1' });
    expect(line?.fields).toMatchObject({ user_id: login.user.id, request_id: expect.any(String) });
    expect(line?.fields).not.toHaveProperty('refused');
    expect(JSON.stringify(api.logged)).not.toMatch(/private|access_token/);
  });

  it('names in that line who was refused what, over REST and tRPC', async () => {
    const [owner, other] = [await api.login(), await api.login()];
    const { id } = await api.repo(owner);
    api.logged.length = 0;
    await api.call('GET', `/api/repos/${id}`, { as: other });
    await api.call('GET', `/api/trpc/repos.get?input=${encodeURIComponent(JSON.stringify({ id }))}`, { as: other });
    await api.call('POST', '/api/auth/login', { json: { email: owner.user.email, password: 'a wrong one' } });
    await api.call('POST', '/api/auth/login', { json: {}, headers: { origin: 'https://evil.example' } });
    await api.call('GET', '/api/issues');
    const lines = api.logged.filter(({ message }) => message === 'request').map(({ fields }) => fields);
    expect(lines.map(({ status, refused, user_id }) => [status, refused, user_id])).toEqual([
      [403, 'not_owner', other.user.id],
      [403, 'not_owner', other.user.id],
      [401, 'bad_credentials', undefined],
      [403, 'origin_refused', undefined],
      [401, 'session_missing', undefined],
    ]);
  });
});
