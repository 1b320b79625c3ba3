import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleFiles } from '../src/service/console-files.ts';
import { type RunningApi, startApi } from './start-api.ts';

const script = Buffer.from('document.title = "Issues";\n'.repeat(200));
const font = Buffer.from([1, 2, 3]);
const built: ConsoleFiles = {
  html:
    '<!doctype html><title>Console</title><link rel="icon" href="/assets/icon-7a8b9c.svg" />' +
    '<script type="module" src="/assets/main-1a2b3c.js"></script>',
  assets: new Map([
    ['/assets/main-1a2b3c.js', { body: script, br: brotliCompressSync(script), gzip: gzipSync(script) }],
    ['/assets/text-4d5e6f.woff2', { body: font, br: null, gzip: null }],
  ]),
};

let api: RunningApi;
beforeAll(async () => {
  api = await startApi({ console: built });
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
});

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const open = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  api.call(method, path, { headers: { accept: BROWSER, ...headers } });

describe('the page of the console', () => {
  it.each([
    '/',
    '/login',
    '/login?error=state_invalid',
    '/register',
    '/issues',
    '/issues?status=running',
    '/issues/new',
    '/issues/0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4f/diff',
    '/repos',
    '/repos/0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4f',
    '/outcomes?by=model',
    '/settings',
    '/admin',
  ])('is at %s for browsers, under its policy', async (path) => {
    const { status, headers, text } = await open(path);
    expect([status, headers.get('content-type'), text]).toEqual([200, 'text/html; charset=utf-8', built.html]);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; " +
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; " +
        'trusted-types sluice-worker',
    );
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('vary')).toContain('Accept');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('is asked for again with each load, and sent only when it has changed', async () => {
    const { headers } = await open('/issues');
    const again = await open('/issues/new', { 'if-none-match': headers.get('etag') ?? '' });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await open('/issues', { 'if-none-match': '"another"' })).status).toBe(200);
    expect((await open('/issues', {}, 'HEAD')).status).toBe(200);
  });

  it.each([
    ['/login/', '/login'],
    ['/register/?return=%2Frepos', '/register?return=%2Frepos'],
    ['/repos/new/', '/repos/new'],
  ])('is asked for without a slash at the end: %s leads to %s', async (path, wanted) => {
    const { status, headers } = await open(path);
    expect([status, headers.get('location')]).toEqual([308, wanted]);
    expect((await open(path, { accept: 'application/json' })).status).toBe(404);
  });

  it.each([
    '/loginx',
    '/admin/x',
    '/Issues',
    '/nothing',
    '/nothing/',
    '//example.com/',
    '/issuesx',
    '/api',
    '/api/nothing',
    '/api/issues/',
  ])('is not at %s', async (path) => {
    const { status, body } = await open(path);
    expect([status, body.code]).toEqual([404, 'route_not_found']);
  });

  it('leaves the answers to programs as they are', async () => {
    const hint = (path: string) => `There is no such path. Did you mean ${path}?`;
    for (const accept of ['*/*', 'application/json', 'application/json, text/plain, */*']) {
      const { status, body, headers } = await open('/login', { accept });
      expect([status, body.detail]).toEqual([404, hint('/api/auth/login')]);
      expect(headers.get('vary')).toContain('Accept');
      expect((await open('/issues', { accept })).body.detail).toBe(hint('/api/issues'));
    }
    expect((await open('/login', {}, 'POST')).status).toBe(404);
    expect((await open('/', { accept: '*/*' })).text).toContain('sluice login --url');
    expect((await open('/', { accept: 'application/json' })).body.name).toBe('Sluice');
    expect((await open('/api/issues')).status).toBe(401);
    expect((await open('/api/docs')).text).toContain('swagger-ui');
  });
});

it('redirects a request for /favicon.ico to the icon of the console', async () => {
  const { status, headers } = await open('/favicon.ico', { accept: 'image/*' });
  expect([status, headers.get('location')]).toEqual([302, '/assets/icon-7a8b9c.svg']);
  expect((await open('/favicon.ico', {}, 'POST')).status).toBe(404);
});

describe('the assets of the console', () => {
  const FOR_EVER = 'public, max-age=31536000, immutable';

  it.each([
    ['br', 'gzip, deflate, br'],
    ['gzip', 'gzip, deflate'],
    [null, 'identity'],
    [null, 'br;q=0, gzip;q=0'],
  ])('are sent as %s to a client that accepts %s, and kept for ever', async (used, accepted) => {
    const { status, headers, text } = await open('/assets/main-1a2b3c.js', { 'accept-encoding': accepted });
    expect([status, headers.get('content-encoding'), text]).toEqual([200, used, script.toString()]);
    expect(headers.get('content-type')).toMatch(/^text\/javascript/);
    expect(headers.get('cache-control')).toBe(FOR_EVER);
    expect(headers.get('vary')).toContain('Accept-Encoding');
  });

  it('are sent as they are where compressing does not pay', async () => {
    const { headers, text } = await open('/assets/text-4d5e6f.woff2', { 'accept-encoding': 'br' });
    expect([headers.get('content-type'), headers.get('content-encoding'), text.length]).toEqual([
      'font/woff2',
      null,
      3,
    ]);
  });

  it('are only read', async () => {
    const head = await open('/assets/main-1a2b3c.js', { 'accept-encoding': 'identity' }, 'HEAD');
    expect([head.status, head.headers.get('content-length'), head.text]).toEqual([200, String(script.length), '']);
    const posted = await open('/assets/main-1a2b3c.js', {}, 'POST');
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it.each(['/assets/main-000000.js', '/assets/', '/assets', '/assets/main-1a2b3c.js.br', '/assets/__proto__'])(
    '%s is a 404, which no cache keeps',
    async (path) => {
      const { status, headers, body } = await open(path);
      expect([status, body.detail, headers.get('cache-control')]).toEqual([404, 'There is no such path.', 'no-store']);
    },
  );
});

it('shows the front page at / where the console was not built, and nothing at its routes', async () => {
  await using bare = await startApi();
  const headers = { accept: BROWSER };
  expect((await bare.call('GET', '/', { headers })).text).toContain('It was started without the console');
  expect((await bare.call('GET', '/login', { headers })).status).toBe(404);
});
