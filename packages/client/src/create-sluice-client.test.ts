import { expect, it } from 'vitest';
import { memoryCookies } from './cookie-store.ts';
import { createSluiceClient } from './create-sluice-client.ts';
import type { Fetch } from './server-fetch.ts';

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

/** A `fetch` that answers every call with a session cookie, and records the requests. */
function recordingFetch(): { fetch: Fetch; sent: Sent[] } {
  const sent: Sent[] = [];
  return {
    sent,
    fetch: async (url, init = {}) => {
      sent.push({ url: String(url), init });
      const headers = { 'content-type': 'application/json', 'set-cookie': 'access_token=given; Path=/' };
      return new Response(JSON.stringify({ result: { data: {} } }), { headers });
    },
  };
}

const cookieOf = ({ init }: Sent) => new Headers(init.headers).get('cookie');

it('sends its own cookie, and no credentials option, outside a browser', async () => {
  const { fetch, sent } = recordingFetch();
  const client = createSluiceClient({ url: 'http://127.0.0.1:3000/', fetch });
  await client.auth.me.query();
  await client.auth.me.query();
  expect(sent.map(cookieOf)).toEqual([null, 'access_token=given']);
  expect(sent.map(({ init }) => init.credentials)).toEqual([undefined, undefined]);
});

it('leaves the session to the browser', async () => {
  const { fetch, sent } = recordingFetch();
  const client = createSluiceClient({ url: 'http://127.0.0.1:3000', fetch, cookies: 'browser' });
  await client.auth.me.query();
  await client.auth.me.query();
  expect(sent.map(cookieOf)).toEqual([null, null]);
  expect(sent.map(({ init }) => init.credentials)).toEqual(['include', 'include']);
});

it('shares a session between clients with one store, but not between servers', async () => {
  const { fetch, sent } = recordingFetch();
  const cookies = memoryCookies();
  await createSluiceClient({ url: 'http://127.0.0.1:3000', fetch, cookies }).auth.me.query();
  await createSluiceClient({ url: 'http://127.0.0.1:3000', fetch, cookies }).auth.me.query();
  await createSluiceClient({ url: 'http://127.0.0.1:3001', fetch, cookies }).auth.me.query();
  expect(sent.map(cookieOf)).toEqual([null, 'access_token=given', null]);
});

it('keeps the path of the address, and makes one request per call', async () => {
  const { fetch, sent } = recordingFetch();
  const client = createSluiceClient({ url: 'https://example.com/sluice/', fetch });
  await Promise.all([client.auth.me.query(), client.auth.logout.mutate()]);
  expect(sent.map(({ url, init }) => `${init.method} ${url}`)).toEqual([
    'GET https://example.com/sluice/api/trpc/auth.me',
    'POST https://example.com/sluice/api/trpc/auth.logout',
  ]);
});

it('can be returned by an async function', async () => {
  const client = createSluiceClient({ url: 'http://127.0.0.1:3000' });
  expect(await (async () => client)()).toBe(client);
});

it('sends the idempotency key with the one call that it is given for', async () => {
  const { fetch, sent } = recordingFetch();
  const client = createSluiceClient({ url: 'http://127.0.0.1:3000', fetch });
  await client.issues.create.mutate({ repo_id: 'r', title: 'T', body: '' }, { idempotencyKey: 'one' });
  await client.issues.run.mutate({ id: 'i' });
  expect(sent.map(({ init }) => new Headers(init.headers).get('idempotency-key'))).toEqual(['one', null]);
});
