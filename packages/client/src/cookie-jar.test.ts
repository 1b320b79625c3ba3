import { expect, it, vi } from 'vitest';
import { createCookieJar } from './cookie-jar.ts';
import { memoryCookies } from './cookie-store.ts';

const url = new URL('http://127.0.0.1:3000/api/trpc/auth.login');

function answer(...lines: string[]): Headers {
  const headers = new Headers();
  for (const line of lines) headers.append('set-cookie', line);
  return headers;
}

it('sends the cookies it received, and the last of several with one name', async () => {
  const jar = createCookieJar(memoryCookies(), url.origin);
  expect(await jar.headerFor(url)).toBeNull();
  await jar.takeFrom(url, answer('access_token=first; Path=/', 'access_token=second; Path=/', 'b=2; Path=/'));
  expect(await jar.headerFor(url)).toBe('access_token=second; b=2');
  await jar.takeFrom(url, answer('access_token=; Path=/; Max-Age=0'));
  expect(await jar.headerFor(url)).toBe('b=2');
});

it('neither sends to nor accepts from another origin', async () => {
  const jar = createCookieJar(memoryCookies(), url.origin);
  await jar.takeFrom(url, answer('access_token=ours; Path=/'));
  for (const elsewhere of ['http://127.0.0.1:3001/', 'http://localhost:3000/', 'https://127.0.0.1:3000/']) {
    expect(await jar.headerFor(new URL(elsewhere))).toBeNull();
    await jar.takeFrom(new URL(elsewhere), answer('access_token=theirs; Path=/'));
  }
  expect(await jar.headerFor(url)).toBe('access_token=ours');
});

it('resumes a stored session, and saves only changes', async () => {
  const store = memoryCookies();
  await createCookieJar(store, url.origin).takeFrom(url, answer('access_token=kept; Path=/'));
  const save = vi.spyOn(store, 'save');
  const jar = createCookieJar(store, url.origin);
  expect(await jar.headerFor(url)).toBe('access_token=kept');
  await jar.takeFrom(url, answer());
  await jar.takeFrom(url, answer('nonsense'));
  expect(save).not.toHaveBeenCalled();
});

it('keeps at most twenty cookies', async () => {
  const jar = createCookieJar(memoryCookies(), url.origin);
  await jar.takeFrom(url, answer(...Array.from({ length: 1_000 }, (_, index) => `c${index}=1; Path=/`)));
  expect((await jar.headerFor(url))?.split('; ')).toHaveLength(20);
});
