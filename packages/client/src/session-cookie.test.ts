import { expect, it } from 'vitest';
import { createSessionCookie } from './session-cookie.ts';

function answer(...setCookies: string[]): Headers {
  const headers = new Headers();
  for (const line of setCookies) headers.append('set-cookie', line);
  return headers;
}

it('sends nothing before there is a session', () => {
  expect(createSessionCookie(null).header()).toBeNull();
});

it('sends the session of an earlier run', () => {
  expect(createSessionCookie('kept').header()).toBe('access_token=kept');
});

it.each([
  ['access_token=abc', 'abc'],
  ['access_token=a.b-c_d; HttpOnly; SameSite=Lax; Path=/; Max-Age=604800', 'a.b-c_d'],
  ['access_token=abc==; Secure; Expires=Fri, 01 Jan 2999 00:00:00 GMT', 'abc=='],
  [' access_token = abc ; Path=/', 'abc'],
])('takes over what the server sets: %s', (line, value) => {
  const told: (string | null)[] = [];
  const cookie = createSessionCookie(null, (given) => told.push(given));
  cookie.takeFrom(answer(line));
  expect(cookie.header()).toBe(`access_token=${value}`);
  expect(told).toEqual([value]);
});

it.each([
  'access_token=; Path=/',
  'access_token=; Max-Age=0',
  'access_token=abc; max-age=0',
  'access_token=abc; Max-Age=-1',
  'access_token=abc; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
])('forgets what the server clears: %s', (line) => {
  const told: (string | null)[] = [];
  const cookie = createSessionCookie('old', (given) => told.push(given));
  cookie.takeFrom(answer(line));
  expect(cookie.header()).toBeNull();
  expect(told).toEqual([null]);
});

it('finds the session among several cookies and leaves the others alone', () => {
  const told: (string | null)[] = [];
  const cookie = createSessionCookie('old', (given) => told.push(given));
  cookie.takeFrom(answer('codehost_flow=x; Max-Age=0', 'my_access_token=y', 'ACCESS_TOKEN=z'));
  expect(cookie.header()).toBe('access_token=old');
  expect(told).toEqual([]);
  cookie.takeFrom(answer('a=1; Path=/', 'access_token=new; Path=/', 'b=2'));
  expect(cookie.header()).toBe('access_token=new');
});

it('lets the last of several settings win', () => {
  const cookie = createSessionCookie(null);
  cookie.takeFrom(answer('access_token=first', 'access_token=second'));
  expect(cookie.header()).toBe('access_token=second');
});
