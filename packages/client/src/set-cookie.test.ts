import { describe, expect, it } from 'vitest';
import { cookieHeader, parseSetCookie } from './set-cookie.ts';

const now = new Date('2026-11-20T09:15:00.000Z');
const plain = new URL('http://sluice.example.com:3000/api/trpc/auth.login');
const https = new URL('https://sluice.example.com/api/trpc/auth.login');

describe('parseSetCookie', () => {
  it.each([
    ['a=b', { path: '/api/trpc', secure: false, expires_at: null }],
    [' a = b ; Path=/', { path: '/', secure: false, expires_at: null }],
    ['a=b; Path=nonsense', { path: '/api/trpc', secure: false, expires_at: null }],
    ['a=b; Path=/; HttpOnly; SameSite=Lax; Secure', { path: '/', secure: true, expires_at: null }],
    ['a=b; max-age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT', { expires_at: '2026-11-20T09:16:00.000Z' }],
    ['a=b; Expires=Fri, 20 Nov 2026 10:00:00 GMT', { expires_at: '2026-11-20T10:00:00.000Z' }],
    ['a=b; Expires=nonsense', { expires_at: null }],
    ['a=b; Max-Age=99999999999999999999', { expires_at: '9999-12-31T00:00:00.000Z' }],
    ['a=b; Domain=example.com', { value: 'b' }],
    ['a=b; Domain=.SLUICE.example.com', { value: 'b' }],
  ])('accepts %s', (line, cookie) => {
    expect(parseSetCookie(line, https, now)).toMatchObject({
      isRemoval: false,
      cookie: { name: 'a', value: 'b', ...cookie },
    });
  });

  it.each(['a=', 'a=b; Max-Age=0', 'a=b; Max-Age=-1', 'a=b; Expires=Thu, 01 Jan 1970 00:00:00 GMT'])(
    'removes a cookie by %s',
    (line) => {
      expect(parseSetCookie(line, https, now)).toMatchObject({ isRemoval: true, cookie: { name: 'a' } });
    },
  );

  it.each([
    ['without a name', '=b', https],
    ['without a value', 'a; Path=/', https],
    ['whose value would end the header', 'a=b\r\nx-evil: 1', https],
    ['whose value would be two cookies', 'a=b,c=d', https],
    ['longer than the limit', `a=${'b'.repeat(5_000)}`, https],
    ['of another domain', 'a=b; Domain=example.org', https],
    ['of a domain with a similar ending', 'a=b; Domain=ice.example.com', https],
    ['that is secure but came over http', 'a=b; Secure', plain],
  ])('rejects a cookie %s', (_title, line, url) => {
    expect(parseSetCookie(line, url, now)).toBeNull();
  });
});

describe('cookieHeader', () => {
  const cookie = { name: 'a', value: 'b', path: '/', secure: false, expires_at: null };

  it('joins the cookies that apply to the request', () => {
    expect(cookieHeader([cookie, { ...cookie, name: 'c', path: '/api' }], plain, now)).toBe('a=b; c=b');
  });

  it.each([
    ['expired', { expires_at: '2026-11-20T09:15:00.000Z' }],
    ['for https only', { secure: true }],
    ['for another path', { path: '/apis' }],
    ['for a path below', { path: '/api/trpc/auth.login/x' }],
  ])('leaves out a cookie that is %s', (_title, other) => {
    expect(cookieHeader([{ ...cookie, ...other }], plain, now)).toBeNull();
  });
});
