import { connect } from 'node:net';
import { eventually } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Login, type RunningApi, startApi } from './start-api.ts';

let api: RunningApi;
let ada: Login;
beforeEach(async () => {
  api = await startApi({ corsOrigins: ['https://console.example'] });
  ada = await api.login();
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
});

/** Sends bytes as they are and gives all that comes back until the server closes. */
function exchange(bytes: string, port = api.port): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      received += chunk;
    });
    socket.on('close', () => resolve(received));
    socket.on('error', (error) => (received === '' ? reject(error) : resolve(received)));
  });
}

function lastBody(exchanged: string): Record<string, unknown> {
  return JSON.parse(exchanged.slice(exchanged.lastIndexOf('\r\n\r\n') + 4));
}

describe('paths and methods', () => {
  it.each([
    '/api',
    '/api/',
    '/api/nothing',
    '/API/issues',
    '/api/Issues',
    '/api/issues/',
    '/api//issues',
    '/%zz',
    '/api/%zz',
    '/api/issues/%',
  ])('GET %s is a 404', async (path) => {
    const answer = await api.call('GET', path, { as: ada });
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({
      detail: expect.any(String),
      code: expect.any(String),
      request_id: expect.any(String),
    });
  });

  it.each([
    ['PUT', '/api/issues', 'GET, POST, HEAD'],
    ['DELETE', '/api/issues', 'GET, POST, HEAD'],
    ['GET', '/api/auth/login', 'POST'],
    ['HEAD', '/api/auth/login', 'POST'],
    ['POST', '/api/issues/x', 'GET, PATCH, DELETE, HEAD'],
    ['POST', '/api/issues/x/events', 'GET, HEAD'],
    ['GET', '/api/issues/x/run', 'POST'],
    ['POST', '/api/health/live', 'GET, HEAD'],
    ['OPTIONS', '/api/health/live', 'GET, HEAD'],
    ['POST', '/api/openapi.json', 'GET, HEAD'],
    ['PUT', '/api/trpc/auth.me', 'GET, POST'],
    ['HEAD', '/api/trpc/auth.me', 'GET, POST'],
    ['OPTIONS', '/api/trpc/auth.me', 'GET, POST'],
  ])('%s %s is a 405 with Allow: %s', async (method, path, allow) => {
    const answer = await api.call(method, path, { as: ada });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(allow.split(', ').sort());
    if (method !== 'HEAD') expect(answer.body).toMatchObject({ code: 'method_not_allowed' });
  });

  it('refuses TRACE, which no fetch sends, like any other method', async () => {
    for (const path of ['/api/issues', '/api/trpc/auth.me']) {
      const answer = await exchange(`TRACE ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 405 /);
      expect(lastBody(answer)).toMatchObject({ code: 'method_not_allowed', detail: expect.any(String) });
    }
  });

  it('answers HEAD as GET without the body', async () => {
    const { id } = await api.issue(ada);
    for (const path of [
      '/api/health/live',
      '/api/issues',
      `/api/issues/${id}`,
      `/api/issues/${id}/log`,
      '/api/openapi.json',
    ]) {
      const full = await api.call('GET', path, { as: ada });
      const head = await api.call('HEAD', path, { as: ada });
      expect([head.status, head.text, head.headers.get('content-type')], path).toEqual([
        full.status,
        '',
        full.headers.get('content-type'),
      ]);
    }
    expect((await api.call('HEAD', '/api/issues')).status).toBe(401);
    const events = await api.call('HEAD', `/api/issues/${id}/events`, { as: ada });
    expect([events.status, events.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  });
});

describe('bodies', () => {
  const send = (raw: string | Uint8Array<ArrayBuffer>, type?: string) =>
    api.call('POST', '/api/auth/login', { raw, headers: type === undefined ? {} : { 'content-type': type } });
  const json = 'application/json';

  it.each([
    ['malformed JSON', '{"a":', json, 400, 'malformed_json'],
    [
      'bytes that are no UTF-8',
      new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      json,
      400,
      'malformed_json',
    ],
    ['an array', '[]', json, 400, 'validation_failed'],
    ['an array of one good body', '[{"email":"a@b.de","password":"x"}]', json, 400, 'validation_failed'],
    ['null', 'null', json, 400, 'validation_failed'],
    ['a string', '"x"', json, 400, 'validation_failed'],
    ['no body', '', json, 400, 'validation_failed'],
    ['a form', 'email=a', 'application/x-www-form-urlencoded', 415, 'media_type_unsupported'],
    ['JSON under another name', '{}', 'text/plain', 415, 'media_type_unsupported'],
    ['JSON in another charset', '{}', 'application/json; charset=utf-16', 415, 'media_type_unsupported'],
    ['more than 1 MiB', `{"email":"${'a'.repeat(1_048_577)}"}`, json, 413, 'body_too_large'],
  ])('refuses %s', async (...[, raw, type, status, code]) => {
    const answer = await send(raw, type);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.body.detail).toEqual(expect.any(String));
  });

  it('takes JSON with a charset, in capitals, with a byte order mark', async () => {
    const good = '{"email":"a@b.de","password":"x"}';
    for (const type of [json, 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
      expect((await send(good, type)).status).toBe(401);
    }
    expect((await send(`\uFEFF${good}`, json)).status).toBe(401);
  });

  it.each(['/api/auth/login', '/api/trpc/auth.login'])('decompresses nothing that is sent to %s', async (path) => {
    const { gzipSync } = await import('node:zlib');
    for (const [encoding, raw] of [
      ['gzip', new Uint8Array(gzipSync('{"email":"a@b.de","password":"x"}'))],
      ['gzip', 'no gzip at all'],
      ['rot13', '{}'],
    ] as const) {
      const headers = { 'content-type': json, 'content-encoding': encoding };
      const answer = await api.call('POST', path, { raw, headers });
      expect([answer.status, answer.body.detail]).toEqual([415, 'Send the body without compression.']);
    }
    const headers = { 'content-type': json, 'content-encoding': 'identity' };
    const raw = '{"email":"a@b.de","password":"x"}';
    expect((await api.call('POST', path, { raw, headers })).status).toBe(401);
  });

  it.each(['multipart/form-data; boundary=x', 'application/octet-stream', 'application/x-www-form-urlencoded'])(
    'takes no %s over tRPC either',
    async (type) => {
      const options = { as: ada, raw: '--x--', headers: { 'content-type': type } };
      const answer = await api.call('POST', '/api/trpc/auth.logout', options);
      expect([answer.status, answer.body.code]).toEqual([415, 'media_type_unsupported']);
    },
  );
});

describe('headers', () => {
  it('sends a request id back, takes a good one and makes its own for a bad one', async () => {
    const ask = (id: string) => api.call('GET', '/api/auth/me', { headers: { 'x-request-id': id } });
    const taken = await ask('trace-1.A_b');
    expect([taken.headers.get('x-request-id'), taken.body.request_id]).toEqual(['trace-1.A_b', 'trace-1.A_b']);
    for (const bad of ['a b', 'x'.repeat(129), '<script>', '']) {
      const made = await ask(bad);
      expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(made.body.request_id).toBe(made.headers.get('x-request-id'));
    }
  });

  it('lets nothing that carries a session be kept', async () => {
    for (const path of ['/api/auth/me', '/api/issues', '/api/nothing', '/api/trpc/auth.me']) {
      expect((await api.call('GET', path, { as: ada })).headers.get('cache-control'), path).toBe('no-store');
    }
  });

  it('sends the hardening headers and does not reveal its software', async () => {
    const { headers } = await api.call('GET', '/api/health/live');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
    );
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-site');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('strict-transport-security')).toBeNull();
  });

  it('sends them with every answer under https, also with refusals that no route gives', async () => {
    await using secure = await startApi({ publicUrl: new URL('https://sluice.example.com') });
    const heads = ['GET *', 'GET /nothing', 'POST /api/codehost/webhook', 'GET /api/issues'].map(
      (line) => `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    const answers = await Promise.all(['NONSENSE\r\n\r\n', ...heads].map((one) => exchange(one, secure.port)));
    expect(answers.map((answer) => / (\d+) /.exec(answer)?.[1])).toEqual(['400', '404', '404', '409', '401']);
    for (const answer of answers) {
      expect(answer).toMatch(/^Strict-Transport-Security: max-age=31536000; includeSubDomains\r$/m);
      expect(answer).toMatch(/^Content-Security-Policy: default-src 'none';.*frame-ancestors 'none'\r$/m);
      expect(answer).toMatch(/^X-Content-Type-Options: nosniff\r$/m);
    }
  });
});

describe('origins', () => {
  const login = (headers: Record<string, string>) => api.call('POST', '/api/auth/login', { json: {}, headers });

  it('refuses unsafe requests of foreign pages and lets clients that are no browser through', async () => {
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://console.example' },
      { origin: `http://127.0.0.1:${api.port + 1}` },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of foreign) {
      const answer = await login(headers);
      expect([answer.status, answer.body.code], JSON.stringify(headers)).toEqual([403, 'origin_refused']);
      const trpc = await api.call('POST', '/api/trpc/auth.login', { json: {}, headers });
      expect(trpc.status).toBe(403);
    }
    const own = ['https://console.example', api.url, `http://localhost:${api.port}`];
    for (const origin of own) expect((await login({ origin })).status, origin).toBe(400);
    expect((await login({ 'sec-fetch-site': 'same-origin' })).status).toBe(400);
    expect((await login({})).status).toBe(400);
  });

  it('names the origin that is refused and the one to open', async () => {
    const seen = await login({ origin: 'http://sluice.lan:3000' });
    expect(seen.body.detail).toContain('from a page at http://sluice.lan:3000,');
    expect(seen.body.detail).toContain(`Open Sluice at ${api.options.publicUrl.origin}.`);
    expect(seen.body.detail).toContain('PUBLIC_URL');
    for (const origin of ['null', 'not an origin', 'https://evil.example/path', `https://${'x'.repeat(400)}.example`]) {
      const { detail } = (await login({ origin })).body;
      expect(detail).toBe(
        `Changes are refused that a page of another site asks for. Open Sluice at ${api.options.publicUrl.origin}.`,
      );
    }
  });

  it('refuses the bodyless request that any page could send without a preflight', async () => {
    const { id } = await api.issue(ada);
    const headers = { origin: 'https://evil.example', 'content-type': 'text/plain' };
    expect((await api.call('POST', `/api/issues/${id}/run`, { as: ada, headers })).status).toBe(403);
    expect((await api.call('DELETE', `/api/issues/${id}`, { as: ada, headers })).status).toBe(403);
  });

  it('answers configured origins with credentials allowed and by name, also on errors and preflights', async () => {
    const origin = 'https://console.example';
    for (const path of ['/api/health/live', '/api/auth/me', '/api/nothing']) {
      const { headers } = await api.call('GET', path, { headers: { origin } });
      expect(headers.get('access-control-allow-origin'), path).toBe(origin);
      expect(headers.get('access-control-allow-credentials')).toBe('true');
      expect(headers.get('access-control-expose-headers')).toContain('Retry-After');
      expect(headers.get('vary')).toContain('Origin');
    }
    const preflight = await api.call('OPTIONS', '/api/issues', {
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type');

    const { headers } = await api.call('GET', '/api/health/live', { headers: { origin: 'https://evil.example' } });
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('vary')).toContain('Origin');
  });
});

describe('what is hardly HTTP', () => {
  const head = 'Host: x\r\nConnection: close\r\n';

  it('takes a whole URL as the target, and refuses in JSON what is none', async () => {
    expect(await exchange(`GET http://sluice.example/api/health/live HTTP/1.1\r\n${head}\r\n`)).toContain(
      '{"status":"up"}',
    );
    for (const target of ['http://[', '*', 'ftp://x/api', 'api/health/live']) {
      const answer = await exchange(`GET ${target} HTTP/1.1\r\n${head}\r\n`);
      expect(answer, target).toMatch(/^HTTP\/1\.1 40[04] /);
      expect(lastBody(answer).detail, target).toEqual(expect.any(String));
      expect(answer).not.toContain('<html');
    }
  });

  it.each([
    '/api/issues/1#x/run',
    '/api/issues/..\\auth\\register#/run',
    '/api/issues/x\\..\\..\\auth\\register?#/run',
    '/api/issues/../auth/register',
    '/api/issues/%2e%2E/auth/register',
    '/api/issues/..',
    '/api/issues/%2e%2e/run',
    '/api/issues/./run',
    '/api/issues/..\\auth\\register/run',
    '/api\\auth/register',
    '/api/trpc/auth.logout/../auth.register',
    '/api/trpc/auth.logout/auth.register',
    '/api/trpc\\auth.register',
    '/api/trpc//auth.register',
    'http://x/api/issues/../auth/register',
    'http://x/api/issues/%2e%2e/auth/register',
  ])('reaches nothing by %s, which a URL parser would read as another path', async (target) => {
    const body = JSON.stringify({ email: 'mallory@example.org', password: 'correct horse battery staple' });
    const head = `POST ${target} HTTP/1.1\r\nHost: x\r\nCookie: ${ada.cookie}\r\nContent-Type: application/json\r\n`;
    const answer = await exchange(`${head}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`);
    expect(answer).toContain('HTTP/1.1 404');
    expect(lastBody(answer)).toMatchObject({ code: 'route_not_found' });
    expect(
      await api.call('POST', '/api/auth/login', { raw: body, headers: { 'content-type': 'application/json' } }),
    ).toMatchObject({ status: 401 });
  });

  it('takes an id with an encoded slash, a semicolon or an encoded # for no id', async () => {
    for (const id of ['%2e%2e%2fauth%2fregister', '..;', ';a=b', '1%23x', '..%5cauth']) {
      const head = `POST /api/issues/${id}/run HTTP/1.1\r\nHost: x\r\nCookie: ${ada.cookie}\r\n`;
      const answer = await exchange(`${head}Sec-Fetch-Site: same-origin\r\nConnection: close\r\n\r\n`);
      expect(lastBody(answer), id).toMatchObject({ code: 'issue_not_found' });
    }
  });

  it('answers garbage with 400 and headers without end with 431, in JSON', async () => {
    const garbage = await exchange('NONSENSE\r\n\r\n');
    expect(garbage).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(lastBody(garbage)).toEqual({ detail: expect.any(String), code: 'malformed_request' });
    const large = await exchange(`GET /api/health/live HTTP/1.1\r\n${head}X-Large: ${'a'.repeat(40_000)}\r\n\r\n`);
    expect(large).toMatch(/^HTTP\/1\.1 431 /);
    expect(lastBody(large)).toEqual({ detail: expect.any(String), code: 'headers_too_large' });
  });

  it('answers the request before pipelined garbage first', async () => {
    const exchanged = await exchange('GET /api/health/ready HTTP/1.1\r\nHost: x\r\n\r\n\x00\x01 garbage\r\n\r\n');
    const statuses = [...exchanged.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
    expect(statuses).toEqual(['200', '400']);
    expect(lastBody(exchanged)).toMatchObject({ code: 'malformed_request' });
  });

  it('takes a Host that is none without failing', async () => {
    for (const host of ['', 'a b', '[', 'x:99999']) {
      const answer = await exchange(
        `GET /api/issues HTTP/1.1\r\nHost: ${host}\r\nCookie: ${ada.cookie}\r\nConnection: close\r\n\r\n`,
      );
      expect(answer, host).toMatch(/^HTTP\/1\.1 (200|400) /);
    }
  });

  it('keeps serving after all of that', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, count) => exchange('x'.repeat(count * 100 + 1).concat('\r\n\r\n'))),
    );
    expect((await api.call('GET', '/api/health/live')).status).toBe(200);
    await eventually(() => expect(api.logged.filter(({ level }) => level === 'error')).toEqual([]));
  });

  it.each([
    ['no Host header', 'GET /api/health/live HTTP/1.1\r\n\r\n', 400],
    ['two Host headers', 'GET /api/health/live HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n', 400],
    ['two Host headers of HTTP/1.0', 'GET /api/health/live HTTP/1.0\r\nHost: x\r\nHost: x\r\n\r\n', 400],
    ['a request to be its proxy', 'CONNECT other.example:443 HTTP/1.1\r\nHost: other.example:443\r\n\r\n', 400],
    [
      'an unknown expectation',
      'GET /api/nothing HTTP/1.1\r\nHost: x\r\nExpect: more\r\nConnection: close\r\n\r\n',
      404,
    ],
  ])('answers %s with a detail, where Node by itself gives none', async (_what, bytes, status) => {
    const answer = await exchange(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(lastBody(answer)).toMatchObject({ detail: expect.any(String), code: expect.any(String) });
  });
});

describe('errors', () => {
  it('have the members of RFC 9457 for clients that accept them, and no other form than before for the rest', async () => {
    const usual = await api.call('GET', '/api/auth/me', { headers: { accept: 'application/json' } });
    expect(usual.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(Object.keys(usual.body)).toEqual(['detail', 'code', 'request_id']);
    const accept = 'application/json, application/problem+json';
    const { headers, text } = await api.call('GET', '/api/auth/me', { headers: { accept, 'x-request-id': 'r1' } });
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(JSON.parse(text)).toEqual({
      type: 'urn:sluice:error:session_missing',
      title: usual.body.detail,
      status: 401,
      instance: 'urn:sluice:request:r1',
      ...usual.body,
      request_id: 'r1',
    });
    // No scheme for which a browser asks for a password.
    expect(headers.get('www-authenticate')).toBe('Cookie realm="Sluice", cookie-name="access_token"');
    expect(usual.headers.get('www-authenticate')).toBe(headers.get('www-authenticate'));
  });
});
