import { createHash } from 'node:crypto';
import { settableClock } from '@sluice/testing';
import { expect, it } from 'vitest';
import { type CodeHostOptions, type FakeCodeHost, startCodeHost } from './start-code-host.ts';

const CALLBACK = 'http://127.0.0.1:9/api/auth/codehost/callback';
const VERIFIER = 'a-verifier-that-is-long-enough-for-the-rule-of-43';

async function aHost(options: CodeHostOptions = {}) {
  const host = await startCodeHost({ redirectUris: [CALLBACK], ...options });
  for (const login of ['ann', 'bob']) host.addUser({ login });
  return host;
}

function authorizationUrl(host: FakeCodeHost, changes: Record<string, string> = {}): string {
  const query = {
    client_id: host.clientId,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'repo read:user',
    state: 's1',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  };
  return `${host.url}/login/oauth/authorize?${new URLSearchParams(query)}`;
}

async function trade(host: FakeCodeHost, fields: Record<string, string>) {
  const { clientId, clientSecret } = host;
  const form = { client_id: clientId, client_secret: clientSecret, redirect_uri: CALLBACK, ...fields };
  const response = await fetch(`${host.url}/login/oauth/access_token`, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ code_verifier: VERIFIER, ...form }),
  });
  return (await response.json()) as Record<string, string>;
}

async function aCode(host: FakeCodeHost, login = 'ann'): Promise<string> {
  return new URL(await host.walkSignIn(authorizationUrl(host), { login })).searchParams.get('code') ?? '';
}

async function whoIs(host: FakeCodeHost, token = ''): Promise<string | number> {
  const response = await fetch(`${host.apiUrl}/user`, { headers: { authorization: `Bearer ${token}` } });
  return response.status === 200 ? ((await response.json()) as { login: string }).login : response.status;
}

it('signs a user in and exchanges the code for a token', async () => {
  await using host = await aHost();
  const back = new URL(await host.walkSignIn(authorizationUrl(host), { login: 'bob' }));
  expect(back.href.startsWith(`${CALLBACK}?`)).toBe(true);
  expect(back.searchParams.get('state')).toBe('s1');
  const answer = await trade(host, { code: back.searchParams.get('code') ?? '' });
  expect(answer).toMatchObject({ token_type: 'bearer', scope: 'repo,read:user' });
  expect(await whoIs(host, answer.access_token)).toBe('bob');
});

it('reports to the application that the user denied access', async () => {
  await using host = await aHost();
  const back = new URL(await host.walkSignIn(authorizationUrl(host), { login: 'bob', deny: true }));
  expect(Object.fromEntries(back.searchParams)).toMatchObject({ error: 'access_denied', state: 's1' });
});

it.each([
  ['another address', { redirect_uri: `${CALLBACK}/` }],
  ['another application', { client_id: 'evil' }],
  ['a plain challenge', { code_challenge_method: 'plain' }],
  ['no state', { state: '' }],
])('goes nowhere with %s', async (_what, changes) => {
  await using host = await aHost();
  const walk = host.walkSignIn(authorizationUrl(host, changes), { login: 'bob' });
  await expect(walk).rejects.toThrow('answered 400');
});

it('takes a code once, only with its verifier and its address, and revokes what it gave when the code comes again', async () => {
  await using host = await aHost();
  expect(await trade(host, { code: await aCode(host), code_verifier: 'x'.repeat(43) })).toMatchObject({
    error: 'bad_verification_code',
  });
  expect(await trade(host, { code: await aCode(host), redirect_uri: 'http://evil.test/' })).toMatchObject({
    error: 'redirect_uri_mismatch',
  });
  expect(await trade(host, { code: await aCode(host), client_secret: 'guess' })).toMatchObject({
    error: 'incorrect_client_credentials',
  });
  const code = await aCode(host);
  const { access_token } = await trade(host, { code });
  expect(await whoIs(host, access_token)).toBe('ann');
  expect(await trade(host, { code })).toMatchObject({ error: 'bad_verification_code' });
  expect(await whoIs(host, access_token)).toBe(401);
});

it('ends tokens in time, and trades each refresh token once', async () => {
  const clock = settableClock();
  await using host = await aHost({ clock, tokenExpiry: { accessSeconds: 60, refreshSeconds: 600 } });
  const first = await trade(host, { code: await aCode(host) });
  expect(first).toMatchObject({ expires_in: 60, refresh_token_expires_in: 600, scope: '' });
  clock.advance(61_000);
  expect(await whoIs(host, first.access_token)).toBe(401);
  const renew = async (refresh_token = '') => await trade(host, { grant_type: 'refresh_token', refresh_token });
  const second = await renew(first.refresh_token);
  expect(await whoIs(host, second.access_token)).toBe('ann');
  expect(await renew(first.refresh_token)).toMatchObject({ error: 'bad_refresh_token' });
  clock.advance(601_000);
  expect(await renew(second.refresh_token)).toMatchObject({ error: 'bad_refresh_token' });
});

it('lets the application revoke a token, and names itself in the redirect when configured', async () => {
  await using host = await aHost({ sendsIssuer: true });
  const back = new URL(await host.walkSignIn(authorizationUrl(host), { login: 'bob' }));
  expect(back.searchParams.get('iss')).toBe(host.url);
  const { access_token } = await trade(host, { code: back.searchParams.get('code') ?? '' });
  const basic = Buffer.from(`${host.clientId}:${host.clientSecret}`).toString('base64');
  const end = async () =>
    await fetch(`${host.apiUrl}/applications/${host.clientId}/token`, {
      method: 'DELETE',
      headers: { authorization: `Basic ${basic}` },
      body: JSON.stringify({ access_token }),
    });
  expect((await end()).status).toBe(204);
  expect(await whoIs(host, access_token)).toBe(401);
  expect((await end()).status).toBe(404);
});

it('keeps no secret in its record of requests', async () => {
  await using host = await aHost();
  const { access_token } = await trade(host, { code: await aCode(host) });
  await whoIs(host, access_token);
  const record = JSON.stringify(host.requests);
  expect(record).toContain('/login/oauth/access_token');
  expect(host.secrets().length).toBe(3);
  for (const secret of [...host.secrets(), VERIFIER]) expect(record).not.toContain(secret);
});
