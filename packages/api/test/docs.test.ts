import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningApi, startApi } from './start-api.ts';

let api: RunningApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
});

const files = [
  ['/api/docs', 'text/html'],
  ['/api/docs/start.js', 'text/javascript'],
  ['/api/docs/swagger-ui-bundle.js', 'text/javascript'],
  ['/api/docs/swagger-ui.css', 'text/css'],
] as const;

describe('the page to read and try the document', () => {
  it.each(files)('is served without a session, and its policy lets in nothing from outside: %s', async (path, type) => {
    const { status, headers } = await api.call('GET', path);
    expect([status, headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('links to nothing but its own files and the document', async () => {
    const { text } = await api.call('GET', '/api/docs');
    const links = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link = '']) => link);
    for (const link of links.filter((one) => one !== 'data:,')) {
      expect((await api.call('GET', new URL(link, `${api.url}/api/docs`).pathname)).status, link).toBe(200);
    }
    expect(links).toHaveLength(5);
  });

  it.each(files)('answers HEAD as GET without the body, and 304 to who has it: %s', async (path) => {
    const got = await api.call('GET', path);
    const head = await api.call('HEAD', path);
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(got.text)));
    const tag = got.headers.get('etag') ?? '';
    const again = await api.call('GET', path, { headers: { 'if-none-match': tag } });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it.each(files)('refuses other methods with 405 and Allow, and names no other path: %s', async (path) => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const answer = await api.call(method, path);
      expect([answer.status, answer.headers.get('allow')], method).toEqual([405, 'GET, HEAD']);
      expect(answer.body.code).toBe('method_not_allowed');
    }
    const others = [`${path}//`, `${path}/..%2fpackage.json`, path.replace('docs', 'Docs')];
    for (const other of others) {
      expect((await api.call('GET', other)).status, other).toBe(404);
    }
  });
});
