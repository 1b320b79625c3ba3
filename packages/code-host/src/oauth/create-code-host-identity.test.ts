import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import type { CodeHostIdentity } from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';
import { type CodeHostOptions, type FakeCodeHost, startCodeHost } from '@sluice/fake-code-host';
import { settableClock } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { type CodeHostApp, createCodeHostIdentity } from './create-code-host-identity.ts';

const REDIRECT = 'http://127.0.0.1:9/api/auth/codehost/callback';
const VERIFIER = 'a-verifier-that-is-long-enough-for-the-rule-of-43';
const never = new AbortController().signal;
const clock = settableClock();

interface Setup {
  readonly host?: CodeHostOptions;
  readonly app?: Partial<CodeHostApp>;
  readonly timeoutMs?: number;
}

async function aHost({ host: options, app, timeoutMs = 60_000 }: Setup = {}) {
  const host = await startCodeHost({ clock, redirectUris: [REDIRECT], ...options });
  host.addUser({ login: 'ada', name: 'Ada' });
  const { url, apiUrl, clientId, clientSecret } = host;
  const identity = createCodeHostIdentity({
    app: { url, apiUrl, clientId, clientSecret, scopes: ['repo', 'workflow'], ...app },
    clock,
    timeoutMs,
  });
  return { host, identity, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() };
}

function urlOf(identity: CodeHostIdentity): string {
  const codeChallenge = createHash('sha256').update(VERIFIER).digest('base64url');
  return identity.authorizationUrl({ state: 'a-state', codeChallenge, redirectUri: REDIRECT });
}

async function comeBack({ host, identity }: { host: FakeCodeHost; identity: CodeHostIdentity }, deny = false) {
  return new URL(await host.walkSignIn(urlOf(identity), { login: 'ada', deny })).searchParams;
}

function trade(identity: CodeHostIdentity, callback: URLSearchParams, signal: AbortSignal = never) {
  return identity.exchange({ callback, state: 'a-state', codeVerifier: VERIFIER, redirectUri: REDIRECT, signal });
}

/** The code of a refusal. The error must not contain a secret at any depth. */
async function refusal(host: FakeCodeHost, call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) return `not refused: ${String(error)}`;
  const all = inspect(error, { depth: 20, showHidden: true });
  for (const secret of host.secrets()) expect(all).not.toContain(secret);
  return error.code;
}

describe('the authorization URL', () => {
  it('is at the host, with the PKCE challenge, the scopes and nothing else', async () => {
    await using it = await aHost();
    const url = new URL(urlOf(it.identity));
    expect(`${url.origin}${url.pathname}`).toBe(`${it.host.url}/login/oauth/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: it.host.clientId,
      redirect_uri: REDIRECT,
      scope: 'repo workflow',
      state: 'a-state',
      code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
      code_challenge_method: 'S256',
    });
    expect(url.href).not.toContain(it.host.clientSecret);
  });
});

describe('the exchange', () => {
  it('returns the account and a working token', async () => {
    await using it = await aHost();
    const { account, grant } = await trade(it.identity, await comeBack(it));
    expect(account).toMatchObject({ id: expect.stringMatching(/^\d+$/), login: 'ada', name: 'Ada' });
    expect(grant).toEqual({ accessToken: expect.stringMatching(/^gho_/), refreshToken: null, expiresAt: null });
  });

  it.each([true, false])('accepts the code whatever the host calls itself (iss: %s)', async (sendsIssuer) => {
    await using it = await aHost({ host: { sendsIssuer } });
    const callback = await comeBack(it);
    expect(callback.has('iss')).toBe(sendsIssuer);
    expect((await trade(it.identity, callback)).account.login).toBe('ada');
  });

  it('refuses a code of another issuer, without a request', async () => {
    await using it = await aHost();
    const callback = await comeBack(it);
    callback.set('iss', 'https://evil.example.test/login/oauth');
    const asked = it.host.requests.length;
    expect(await refusal(it.host, trade(it.identity, callback))).toBe('codehost_state_invalid');
    expect(it.host.requests).toHaveLength(asked);
  });

  it('refuses a wrong state, a missing code, and a repeated parameter', async () => {
    await using it = await aHost();
    const callback = await comeBack(it);
    const code = callback.get('code') ?? '';
    const wrong = [
      { code, state: 'another' },
      { code },
      { state: 'a-state' },
      { state: 'a-state', code: '' },
      { state: 'a-state', code, response: 'x' },
    ];
    for (const fields of wrong) {
      const query = new URLSearchParams(fields as Record<string, string>);
      expect(await refusal(it.host, trade(it.identity, query))).toBe('codehost_state_invalid');
    }
    for (const name of ['state', 'code']) {
      const twice = new URLSearchParams([...callback, [name, 'x']]);
      expect(await refusal(it.host, trade(it.identity, twice)), name).toBe('codehost_state_invalid');
    }
    expect((await trade(it.identity, callback)).account.login).toBe('ada');
  });

  it('refuses a used code, and one of another verifier', async () => {
    await using it = await aHost();
    const callback = await comeBack(it);
    await trade(it.identity, callback);
    expect(await refusal(it.host, trade(it.identity, callback))).toBe('codehost_state_invalid');
    const other = it.identity.exchange({
      callback: await comeBack(it),
      state: 'a-state',
      codeVerifier: 'x'.repeat(43),
      redirectUri: REDIRECT,
      signal: never,
    });
    expect(await refusal(it.host, other)).toBe('codehost_state_invalid');
  });

  it('reports that the user denied access', async () => {
    await using it = await aHost();
    expect(await refusal(it.host, trade(it.identity, await comeBack(it, true)))).toBe('codehost_denied');
  });

  it('tells the operator what to check when the host does not know this server', async () => {
    await using it = await aHost({ app: { clientSecret: 'another' } });
    const call = trade(it.identity, await comeBack(it));
    await expect(call).rejects.toThrow(/CODEHOST_CLIENT_SECRET/);
    expect(await refusal(it.host, call)).toBe('codehost_unavailable');
    const back = new URLSearchParams({ state: 'a-state', error: 'redirect_uri_mismatch' });
    await expect(trade(it.identity, back)).rejects.toThrow(/callback URL/);
  });

  it.each([
    ['is away', { kind: 'reset' }],
    ['never answers', { kind: 'hang' }],
    ['fails', { kind: 'status', status: 500 }],
    ['sends elsewhere', { kind: 'status', status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
    ['answers with a page', { kind: 'html' }],
    ['answers with half of it', { kind: 'not_json' }],
    ['answers with something else', { kind: 'shape', value: { hello: 'world' } }],
    ['answers with a list', { kind: 'shape', value: [] }],
    ['gives a token of another kind', { kind: 'shape', value: { access_token: 'x', token_type: 'mac' } }],
    ['gives a token that breaks a header', { kind: 'shape', value: { access_token: 'a\r\nb', token_type: 'bearer' } }],
    ['gives no token', { kind: 'shape', value: { access_token: '', token_type: 'bearer' } }],
    ['answers without end', { kind: 'shape', value: { access_token: 'x'.repeat(1_000_000), token_type: 'bearer' } }],
    ['knows an error that nobody knows', { kind: 'shape', value: { error: 'new_error' } }],
  ] as const)('says that the host cannot be used when its token endpoint %s', async (_what, fault) => {
    await using it = await aHost(fault.kind === 'hang' ? { timeoutMs: 500 } : {});
    const callback = await comeBack(it);
    it.host.arm({ on: 'POST /login/oauth/access_token', fault });
    expect(await refusal(it.host, trade(it.identity, callback))).toBe('codehost_unavailable');
  });

  it.each([
    ['does not take the token it gave', { kind: 'status', status: 401 }],
    ['never says whose the token is', { kind: 'hang' }],
    ['gives no id', { kind: 'shape', value: { login: 'ada' } }],
    ['gives an id that is none', { kind: 'shape', value: { id: '12', login: 'ada' } }],
    ['gives a login that is none', { kind: 'shape', value: { id: 12, login: 'a/../b' } }],
    ['answers with a page', { kind: 'html' }],
  ] as const)('says that the host cannot be used when it %s, and gives the token back', async (_what, fault) => {
    // The same time for the requests before and after it, which are not delayed.
    await using it = await aHost(fault.kind === 'hang' ? { timeoutMs: 4_000 } : {});
    const callback = await comeBack(it);
    it.host.arm({ on: 'GET /user', fault });
    expect(await refusal(it.host, trade(it.identity, callback))).toBe('codehost_unavailable');
    expect(it.host.requests.filter(({ method }) => method === 'DELETE')).toMatchObject([{ status: 204 }]);
  });

  it.each([
    [' https://img.test/\n"x', 'https://img.test/%22x'],
    ['https://ada:secret@img.test/x', null],
  ])('has the address of a picture as browsers spell it: %j', async (given, kept) => {
    await using it = await aHost();
    const callback = await comeBack(it);
    it.host.arm({ on: 'GET /user', fault: { kind: 'shape', value: { id: 7, login: 'ada', avatar_url: given } } });
    expect((await trade(it.identity, callback)).account.avatarUrl).toBe(kept);
  });

  it('limits the lifetime of a token that exceeds any date', async () => {
    await using it = await aHost();
    const callback = await comeBack(it);
    const value = { access_token: it.host.issueToken('ada'), token_type: 'bearer', expires_in: 1e300 };
    it.host.arm({ on: 'POST /login/oauth/access_token', fault: { kind: 'shape', value } });
    const { expiresAt } = (await trade(it.identity, callback)).grant;
    expect(expiresAt?.getFullYear()).toBe(clock.now().getFullYear() + 10);
  });

  it('accepts only http(s) URLs of pictures', async () => {
    await using it = await aHost();
    const callback = await comeBack(it);
    it.host.arm({
      on: 'GET /user',
      fault: { kind: 'shape', value: { id: 7, login: 'ada', avatar_url: 'javascript:x' } },
    });
    expect((await trade(it.identity, callback)).account).toEqual({
      id: '7',
      login: 'ada',
      name: null,
      avatarUrl: null,
    });
  });

  it("rejects with the reason of the caller's signal", async () => {
    await using it = await aHost();
    const callback = await comeBack(it);
    it.host.arm({ on: 'POST /login/oauth/access_token', fault: { kind: 'hang' } });
    const cancel = new AbortController();
    const reason = new Error('the browser has left');
    const call = trade(it.identity, callback, cancel.signal);
    cancel.abort(reason);
    await expect(call).rejects.toBe(reason);
  });
});

describe('tokens that expire', () => {
  const host: CodeHostOptions = { tokenExpiry: { accessSeconds: 60, refreshSeconds: 600 } };

  it('have an expiry, and are refreshed once', async () => {
    await using it = await aHost({ host });
    const { grant } = await trade(it.identity, await comeBack(it));
    expect(grant.expiresAt).toEqual(new Date(clock.now().getTime() + 60_000));
    const refreshed = await it.identity.refresh(grant.refreshToken ?? '', never);
    expect(refreshed.accessToken).not.toBe(grant.accessToken);
    const again = it.identity.refresh(grant.refreshToken ?? '', never);
    expect(await refusal(it.host, again)).toBe('codehost_relink_needed');
  });

  it('are not treated as refused when the host is unreachable', async () => {
    await using it = await aHost({ host });
    const { grant } = await trade(it.identity, await comeBack(it));
    it.host.arm({ on: 'POST /login/oauth/access_token', fault: { kind: 'status', status: 503 } });
    expect(await refusal(it.host, it.identity.refresh(grant.refreshToken ?? '', never))).toBe('codehost_unavailable');
  });
});

describe('revoking', () => {
  it('revokes a token at the host, and accepts that one is already invalid', async () => {
    await using it = await aHost();
    const { grant } = await trade(it.identity, await comeBack(it));
    const whoIs = () => fetch(`${it.host.apiUrl}/user`, { headers: { authorization: `Bearer ${grant.accessToken}` } });
    expect((await whoIs()).status).toBe(200);
    await it.identity.revoke(grant.accessToken, never);
    expect((await whoIs()).status).toBe(401);
    await it.identity.revoke(grant.accessToken, never);
  });

  it('reports that the host is unreachable', async () => {
    await using it = await aHost();
    it.host.arm({ on: /DELETE/, fault: { kind: 'status', status: 500 } });
    expect(await refusal(it.host, it.identity.revoke('a-token', never))).toBe('codehost_unavailable');
  });
});
