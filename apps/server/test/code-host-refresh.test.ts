import type { FakeCodeHost } from '@sluice/fake-code-host';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aCodeHost, codehostEnvironment, signInAt } from './code-host-scene.ts';
import { startScratchServer } from './scratch-server.ts';
import { type SharedServices, sharedServices } from './shared-services.ts';

let services: SharedServices;
beforeAll(async () => {
  services = await sharedServices();
});
afterAll(async () => services[Symbol.asyncDispose]());

// Tokens that end within the minute are refreshed before every call.
const tokenExpiry = { accessSeconds: 60, refreshSeconds: 3600 };
const LIST = '/api/codehost/repos';
const isRefresh = ({ body }: { body: FakeCodeHost['requests'][number]['body'] }) =>
  body?.grant_type === 'refresh_token';
const refreshes = (host: FakeCodeHost) => host.requests.filter(isRefresh);

/** Lets the host do the work of the first refresh, and keeps its answer back until it is let go. */
function holdFirstRefresh(host: FakeCodeHost): { worked: Promise<void>; letGo: () => void } {
  const worked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  host.beforeAnswer(async (request) => {
    if (request !== refreshes(host)[0]) return;
    worked.resolve();
    await answer.promise;
  });
  return { worked: worked.promise, letGo: answer.resolve };
}

it('stores a refreshed token that arrives after its caller has aborted', async () => {
  await using host = await aCodeHost({ tokenExpiry });
  await using server = await startScratchServer({ ...codehostEnvironment(host), CODEHOST_POLL: '0' });
  const ann = await signInAt(server.url, host, 'ann');
  const { worked, letGo } = holdFirstRefresh(host);
  const leaving = new AbortController();
  const cookie = [...ann.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
  const left = fetch(`${server.url}${LIST}`, { headers: { cookie }, signal: leaving.signal });
  await worked;
  leaving.abort();
  await expect(left).rejects.toThrow();
  letGo();
  expect((await ann.call('GET', LIST)).status).toBe(200);
});

it('gives a token to both of two processes that refresh it concurrently', async () => {
  await using host = await aCodeHost({ tokenExpiry });
  const PUBLIC_URL = 'http://127.0.0.1:9';
  const environment = { ...(await services.installation()), ...codehostEnvironment(host), PUBLIC_URL, ROLE: 'api' };
  await using one = await startScratchServer(environment);
  await using other = await startScratchServer(environment);
  host.allowRedirectTo(`${PUBLIC_URL}/api/auth/codehost/callback`);
  const ann = await signInAt(one.url, host, 'ann');
  const { worked, letGo } = holdFirstRefresh(host);
  const faster = ann.call('GET', LIST);
  await worked;
  const slower = ann.at(other.url).call('GET', LIST);
  await expect.poll(() => refreshes(host).filter(({ status }) => status !== null).length).toBe(2);
  letGo();
  expect((await Promise.all([faster, slower])).map(({ status }) => status)).toEqual([200, 200]);
});
