import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningApi, startApi } from './start-api.ts';

let api: RunningApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
});

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('the front page', () => {
  it('shows browsers what to do next, lets in nothing from outside, and links only to what is there', async () => {
    const { status, headers, text } = await api.call('GET', '/', { headers: { accept: BROWSER } });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    const style = /<style>([^<]*)<\/style>/.exec(text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers.get('content-security-policy')).toContain(`'sha256-${hash}'`);
    expect(headers.get('vary')).toContain('Accept');
    expect(text).toContain(`<pre>sluice login --url ${api.url} --register</pre>`);
    const links = [...text.matchAll(/href="([^"]*)"/g)].map(([, to]) => to).filter((to) => to !== 'data:,');
    expect(links).toHaveLength(3);
    for (const to of links) expect((await api.call('GET', `/${to}`)).status, to).toBe(200);
  });

  it('is text for terminals and JSON for programs', async () => {
    const plain = await api.call('GET', '/');
    expect([plain.status, plain.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(plain.text).toContain(`  sluice login --url ${api.url} --register\n`);
    expect(plain.text).toContain(`${api.url}/api/docs\n`);
    const json = await api.call('GET', '/', { headers: { accept: 'application/json' } });
    expect(json.body).toEqual({
      name: 'Sluice',
      docs: `${api.url}/api/docs`,
      openapi: `${api.url}/api/openapi.json`,
      health: `${api.url}/api/health/ready`,
    });
    const again = { headers: { 'if-none-match': plain.headers.get('etag') ?? '' } };
    expect((await api.call('GET', '/', again)).status).toBe(304);
    expect((await api.call('HEAD', '/')).text).toBe('');
    expect((await api.call('POST', '/')).headers.get('allow')).toBe('GET, HEAD');
  });

  it.each([
    ['first-user', 'The first account belongs to the operator', ' --register'],
    ['closed', 'Log in with the account that the operator gave you', ''],
  ] as const)('offers no account where registration is %s', async (registration, advice, option) => {
    await using other = await startApi({ registration });
    const { text } = await other.call('GET', '/');
    expect(text).toContain(advice);
    expect(text).toContain(`sluice login --url ${other.url}${option}\n`);
  });
});

describe('paths that people try', () => {
  it.each(['/docs', '/docs/', '/api/docs/'])('%s leads to the API documentation', async (path) => {
    const { status, headers } = await api.call('GET', path);
    expect(status).toBe(308);
    expect(new URL(`${headers.get('location')}`, `${api.url}${path}`).pathname).toBe('/api/docs');
  });

  it.each([
    ['/api', '/api/docs'],
    ['/api/', '/api/docs'],
    ['/healthz', '/api/health/live'],
    ['/readyz', '/api/health/ready'],
    ['/api/health', '/api/health/ready'],
    ['/openapi.json', '/api/openapi.json'],
    ['/login', '/api/auth/login'],
    ['/issues', '/api/issues'],
    ['/api/issues/', '/api/issues'],
    ['/API/Issues?x=1', '/api/issues'],
    ['/api/issues/0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4f/approve/', '/api/issues/{id}/approve'],
  ])('%s is a 404 that names %s', async (path, meant) => {
    const { status, body } = await api.call('GET', path);
    expect([status, body.code, body.detail]).toEqual([
      404,
      'route_not_found',
      `There is no such path. Did you mean ${meant}?`,
    ]);
  });

  it.each(['/nothing', '/api/nothing', '/%zz', '/favicon.ico', '/constructor', '/api//issues'])(
    '%s is a 404 without a guess',
    async (path) => {
      const { status, body } = await api.call('GET', path);
      expect([status, body.detail]).toEqual([404, 'There is no such path.']);
    },
  );
});
