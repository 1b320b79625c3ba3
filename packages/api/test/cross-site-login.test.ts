import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningApi, startApi } from './start-api.ts';

const ORIGINS = ['http://localhost:5173', 'http://127.0.0.1:5173', 'https://console.example.com', 'https://other.test'];

let api: RunningApi;
beforeAll(async () => {
  api = await startApi({ corsOrigins: ORIGINS });
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
});

const json = { email: 'nobody@example.com', password: 'wrong' };
const signIn = (headers: Record<string, string>, path = '/api/auth/login') => api.call('POST', path, { json, headers });

describe('a sign-in from a page', () => {
  it('of another site is refused with the reason and the remedy, which the page may read', async () => {
    const headers = { origin: 'http://localhost:5173', 'sec-fetch-site': 'cross-site' };
    const refused = await signIn(headers);
    expect([refused.status, refused.body.code]).toEqual([403, 'cross_site_login']);
    expect(refused.body.detail).toBe(
      `The page at http://localhost:5173 is on another site than Sluice at 127.0.0.1:${api.port}, so the browser would drop the session cookie. Use the same host name for both: call Sluice at http://localhost:${api.port}.`,
    );
    expect(refused.headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
    expect(refused.headers.getSetCookie()).toEqual([]);
    expect((await signIn(headers, '/api/trpc/auth.login')).status).toBe(403);
    const account = { email: 'new@example.com', password: 'correct horse battery' };
    const register = await api.call('POST', '/api/auth/register', { json: account, headers });
    expect([register.status, register.body.code]).toEqual([403, 'cross_site_login']);
    expect(await api.stores.users.credentials(account.email)).toBeNull();
    const codehost = await api.call('POST', '/api/auth/codehost', { headers });
    expect([codehost.status, codehost.body.code]).toEqual([403, 'cross_site_login']);
  });

  it.each([
    ['http://localhost:5173', 'same-site'],
    ['http://localhost:5173', 'same-origin'], // a development server that passes requests on
    ['https://console.example.com', 'same-site'],
  ])('at %s is answered when the browser calls it %s', async (origin, site) => {
    await using other = await startApi({ corsOrigins: ORIGINS });
    const answer = await other.call('POST', '/api/auth/login', { json, headers: { origin, 'sec-fetch-site': site } });
    expect(answer.status).toBe(401);
  });

  it('is judged by its names where the browser says nothing, as towards a plain http address', async () => {
    const at = async (publicUrl: string, origin: string) => {
      await using other = await startApi({ publicUrl: new URL(publicUrl), corsOrigins: ORIGINS });
      return (await other.call('POST', '/api/auth/login', { json, headers: { origin } })).status;
    };
    expect(await at('http://sluice.example.com', 'https://console.example.com')).toBe(401);
    expect(await at('http://sluice.example.com', 'https://other.test')).toBe(403);
    expect(await at('http://127.0.0.1:3000', 'http://localhost:5173')).toBe(403);
    expect(await at('http://localhost:3000', 'http://localhost:5173')).toBe(401);
    expect(await at('http://sluice.example.com', 'http://127.0.0.1:5173')).toBe(401); // by the Host header
  });

  it('behind a proxy that changes the Host header is refused with a hint at PUBLIC_URL, and answered once that is set', async () => {
    // A plain http address in a local network: the browser says nothing of sites, and the proxy nothing of the page's host.
    const origin = 'http://192.0.2.7';
    const at = async (publicUrl: string) => {
      await using proxied = await startApi({ publicUrl: new URL(publicUrl), corsOrigins: [origin] });
      return await proxied.call('POST', '/api/auth/login', { json, headers: { origin } });
    };
    const refused = await at('http://localhost:3000');
    expect([refused.status, refused.body.code]).toEqual([403, 'cross_site_login']);
    expect(refused.body.detail).toContain('set PUBLIC_URL to the address that browsers open');
    expect((await at(origin)).status).toBe(401);
  });
});
