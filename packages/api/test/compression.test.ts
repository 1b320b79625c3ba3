import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Login, type RunningApi, startApi } from './start-api.ts';

let api: RunningApi;
let ada: Login;
beforeAll(async () => {
  api = await startApi({ maxActivePipelines: 1 });
  ada = await api.login();
  await api.issue(ada, { body: 'It gives the wrong sum. '.repeat(200) });
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
});

const ask = (path: string, encoding: string, more: Record<string, string> = {}) =>
  api.call('GET', path, { as: ada, headers: { 'accept-encoding': encoding, ...more } });
const lengthOf = (headers: Headers) => Number(headers.get('content-length'));

describe('compression', () => {
  it.each(['/api/openapi.json', '/api/docs/swagger-ui-bundle.js', '/api/docs/swagger-ui.css', '/api/issues'])(
    'makes %s smaller for those who accept it, and says by what it varies',
    async (path) => {
      const plain = await ask(path, 'identity');
      expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([
        null,
        expect.stringContaining('Accept-Encoding'),
      ]);
      for (const [accepted, used] of [
        ['gzip, deflate, br', 'br'],
        ['gzip', 'gzip'],
        ['br;q=0, gzip', 'gzip'],
        ['*', 'br'],
      ] as const) {
        const small = await ask(path, accepted);
        expect([small.status, small.headers.get('content-encoding')], accepted).toEqual([200, used]);
        expect(small.headers.get('vary')).toContain('Accept-Encoding');
        expect(lengthOf(small.headers)).toBeLessThan(lengthOf(plain.headers) / 2);
        expect(small.text).toBe(plain.text);
        expect(small.headers.get('content-type')).toBe(plain.headers.get('content-type'));
      }
    },
  );

  it('keeps tags comparable, and promises no equal bytes', async () => {
    const plain = await ask('/api/openapi.json', 'identity');
    const small = await ask('/api/openapi.json', 'gzip');
    expect(small.headers.get('etag')).toBe(`W/${plain.headers.get('etag')}`);
    const tag = { 'if-none-match': small.headers.get('etag') ?? '' };
    expect((await ask('/api/openapi.json', 'gzip', tag)).status).toBe(304);
    expect((await ask('/api/openapi.json', 'identity', tag)).status).toBe(304);
  });

  it('leaves out what is short, and answers without a body', async () => {
    for (const path of ['/', '/api/health/live', '/api/docs/start.js', '/api/nothing']) {
      const { headers } = await ask(path, 'gzip');
      expect(headers.get('content-encoding'), path).toBeNull();
    }
    const head = await api.call('HEAD', '/api/openapi.json', { headers: { 'accept-encoding': 'gzip' } });
    expect(head.headers.get('content-encoding')).toBeNull();
  });

  it('leaves out every answer of authentication, and every stream', async () => {
    for (let count = 0; count < 12; count += 1) await api.otherSession(ada);
    const sessions = await ask('/api/auth/sessions', 'gzip, br');
    expect(sessions.text.length).toBeGreaterThan(1_400);
    expect(sessions.headers.get('content-encoding')).toBeNull();
    const leaving = new AbortController();
    const stream = await fetch(`${api.url}/api/events`, {
      headers: { cookie: ada.cookie, 'accept-encoding': 'gzip, br' },
      signal: leaving.signal,
    });
    expect([stream.status, stream.headers.get('content-encoding')]).toEqual([200, null]);
    leaving.abort();
  });
});
