import { createHash, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { AppError } from '@sluice/core/error';
import type { OidcProvider } from '@sluice/core/oidc';
import { type FakeProvider, localHosts, scriptedHosts, startFakeProvider } from '@sluice/testing';
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOidcProvider, type OidcProviderOptions } from '../src/index.ts';

const redirectUri = 'https://sluice.example.test/api/auth/oidc/company/callback';
const clock = { now: () => new Date() };
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

let fake: FakeProvider;
let provider: OidcProvider;
const providerOf = (more: Partial<OidcProviderOptions> = {}, issuer = fake.issuer) =>
  createOidcProvider({
    client: {
      id: 'company',
      name: 'Company',
      issuer: new URL(issuer),
      clientId: 'sluice',
      clientSecret: 'a secret',
      clientAuth: null,
      scopes: ['openid', 'email'],
      groupsClaim: 'groups',
    },
    clock,
    hosts: localHosts,
    allowPrivateHosts: false,
    timeoutMs: 10_000, // for a busy machine
    keyCooldownMs: 0,
    ...more,
  });
beforeEach(async () => {
  fake = await startFakeProvider();
  provider = providerOf();
});
afterEach(() => fake[Symbol.asyncDispose]());

const signal = new AbortController().signal;

/** Begins a sign-in, as a browser does. */
async function begin(of = provider) {
  const codeVerifier = randomBytes(32).toString('base64url');
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  const [state, nonce] = [randomBytes(9).toString('base64url'), randomBytes(9).toString('base64url')];
  const url = await of.authorizationUrl({ state, nonce, codeChallenge, redirectUri, signal });
  return { url, state, nonce, codeVerifier, redirectUri, signal };
}

/** Signs in. @param change what an attacker changes on the way back */
async function signIn(claims: Record<string, unknown> = {}, change: (back: URLSearchParams) => void = () => undefined) {
  const { url, ...flow } = await begin();
  const callback = fake.authorize(url, claims);
  change(callback);
  return await provider.exchange({ ...flow, callback });
}

async function refusal(signingIn: Promise<unknown>): Promise<string> {
  const thrown = await signingIn.then(
    () => new Error('It was not refused.'),
    (error: unknown) => error,
  );
  if (!(thrown instanceof AppError)) throw thrown;
  expect(JSON.stringify([thrown.message, String(thrown.cause)])).not.toMatch(/canary|a secret/);
  return thrown.code;
}

describe('a sign-in', () => {
  it('brings subject, verified e-mail, groups and session of the ID token, and asks for PKCE', async () => {
    const { url } = await begin();
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'sluice',
      code_challenge_method: 'S256',
      scope: 'openid email',
    });
    const claims = {
      email: 'Ada@Example.test',
      email_verified: true,
      name: ' Ada\nL ',
      groups: ['dev', 7],
      sid: 's-1',
    };
    expect(await signIn(claims)).toEqual({
      account: { issuer: fake.issuer, subject: 'ada', email: 'ada@example.test', name: 'Ada L' },
      groups: ['dev'],
      sid: 's-1',
    });
  });

  it('takes no e-mail that is not verified, and asks the userinfo endpoint for what the token leaves out', async () => {
    expect((await signIn({ email: 'ada@example.test' })).account.email).toBeNull();
    fake.tampering.userInfo = { email: 'ada@example.test', email_verified: true, groups: 'dev' };
    expect(await signIn()).toMatchObject({ account: { email: 'ada@example.test' }, groups: ['dev'] });
  });

  it('takes no userinfo of another subject', async () => {
    fake.tampering.userInfo = { sub: 'eve', email: 'eve@example.test', email_verified: true };
    expect(await refusal(signIn())).toBe('oidc_token_invalid');
  });

  it.each([
    ['the state of another sign-in', (back: URLSearchParams) => back.set('state', 'other'), 'oidc_state_invalid'],
    ['no state', (back: URLSearchParams) => back.delete('state'), 'oidc_state_invalid'],
    ['two codes', (back: URLSearchParams) => back.append('code', 'b'), 'oidc_state_invalid'],
    ['a code and an error', (back: URLSearchParams) => back.set('error', 'access_denied'), 'oidc_state_invalid'],
    ['another issuer (mix-up)', (back: URLSearchParams) => back.set('iss', 'https://evil.test'), 'oidc_state_invalid'],
    ['no issuer, where one is announced', (back: URLSearchParams) => back.delete('iss'), 'oidc_state_invalid'],
    ['a code that was not issued', (back: URLSearchParams) => back.set('code', 'forged'), 'oidc_state_invalid'],
  ])('that comes back with %s is refused', async (_, change, code) => {
    expect(await refusal(signIn({}, change))).toBe(code);
  });

  it('that was refused at the provider, or with which that failed, says so', async () => {
    const answered = (error: string) =>
      refusal(
        signIn({}, (back) => {
          back.delete('code');
          back.set('error', error);
        }),
      );
    expect(await answered('access_denied')).toBe('oidc_denied');
    expect(await answered('temporarily_unavailable')).toBe('oidc_unavailable');
    expect(await answered('invalid_scope')).toBe('oidc_unavailable');
  });

  it('is good for one exchange of its code, with its own verifier', async () => {
    const { url, ...flow } = await begin();
    const callback = fake.authorize(url, {});
    await provider.exchange({ ...flow, callback });
    expect(await refusal(provider.exchange({ ...flow, callback }))).toBe('oidc_state_invalid');
    const next = await begin();
    const stolen = fake.authorize(next.url, {});
    const wrong = { ...next, callback: stolen, codeVerifier: randomBytes(32).toString('base64url') };
    expect(await refusal(provider.exchange(wrong))).toBe('oidc_state_invalid');
  });
});

describe('an ID token', () => {
  const now = Math.floor(Date.now() / 1_000);
  it.each([
    ['of another sign-in (nonce)', { nonce: 'other' }],
    ['without a nonce', { nonce: undefined }],
    ['for another client (aud)', { aud: 'other' }],
    ['for several clients, given to another one (azp)', { aud: ['sluice', 'other'], azp: 'other' }],
    ['of another issuer', { iss: 'https://evil.test' }],
    ['that has expired', { iat: now - 900, exp: now - 600 }],
    ['without an end', { exp: undefined }],
    ['that is not valid yet', { nbf: now + 600 }],
    ['without a subject', { sub: undefined }],
    ['with a subject that is too long', { sub: 'a'.repeat(256) }],
  ])('%s is refused', async (_, claims) => {
    fake.tampering.claims = claims;
    expect(await refusal(signIn())).toBe('oidc_token_invalid');
  });

  it('that nobody has signed is refused (alg none)', async () => {
    fake.tampering.idToken = (claims) => new UnsecuredJWT(claims).encode();
    expect(await refusal(signIn())).toBe('oidc_token_invalid');
  });

  it.each(['a secret', 'sluice'])('that is signed with a shared secret is refused (HS256)', async (secret) => {
    fake.tampering.idToken = (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret.padEnd(32, 'x')));
    expect(await refusal(signIn())).toBe('oidc_token_invalid');
  });

  it('that is signed with the public key as a secret is refused', async () => {
    fake.tampering.idToken = (claims) => {
      const secret = new TextEncoder().encode(JSON.stringify(fake.keys[0]?.jwk));
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: fake.keys[0]?.kid ?? '' }).sign(secret);
    };
    expect(await refusal(signIn())).toBe('oidc_token_invalid');
  });

  it('that is signed with another key under a known name is refused', async () => {
    const other = await fake.newKey();
    fake.tampering.idToken = (claims) => fake.sign(claims, { ...other, kid: fake.keys[0]?.kid ?? '' });
    expect(await refusal(signIn())).toBe('oidc_token_invalid');
  });

  it('that was changed after it was signed is refused', async () => {
    fake.tampering.idToken = async (claims) => {
      const [header, , signature] = (await fake.sign(claims)).split('.');
      return `${header}.${Buffer.from(JSON.stringify({ ...claims, sub: 'root' })).toString('base64url')}.${signature}`;
    };
    expect(await refusal(signIn())).toBe('oidc_token_invalid');
  });

  it('may leave out the hash of the access token, which the code flow does not need', async () => {
    fake.tampering.claims = { at_hash: undefined };
    expect((await signIn()).account.subject).toBe('ada');
  });
});

describe('keys', () => {
  it('that were rotated are fetched at the first token under the new one', async () => {
    await signIn();
    fake.keys.splice(0, 1, await fake.newKey('RS256'));
    expect((await signIn()).account.subject).toBe('ada');
    expect(fake.requests.filter((path) => path === '/keys')).toHaveLength(2);
  });

  it('are not fetched for each token under an unknown name', async () => {
    provider = providerOf({ keyCooldownMs: 60_000 });
    await signIn();
    const unknown = { ...(await fake.newKey()), kid: 'unknown' };
    fake.tampering.idToken = (claims) => fake.sign(claims, unknown);
    for (let attempt = 0; attempt < 5; attempt += 1) expect(await refusal(signIn())).toBe('oidc_token_invalid');
    expect(fake.requests.filter((path) => path === '/keys')).toHaveLength(1);
  });
});

describe('a provider', () => {
  it.each([
    ['says that it is another issuer', { issuer: 'https://evil.test' }],
    ['has no keys', { jwks_uri: undefined }],
    ['sends browsers to http elsewhere', { authorization_endpoint: 'http://evil.test/authorize' }],
    ['names a program instead of a page', { authorization_endpoint: 'javascript:alert(1)' }],
  ])('that %s is not used', async (_, document) => {
    fake.tampering.document = document;
    expect(await refusal(begin())).toBe('oidc_unavailable');
  });

  it.each(['https://127.0.0.1:9/token', 'https://metadata.test/token', 'http://169.254.169.254/token'])(
    'does not get this server to send a request to %s',
    async (token_endpoint) => {
      provider = providerOf({ hosts: scriptedHosts(() => ['169.254.169.254']) });
      fake.tampering.document = { token_endpoint };
      expect(await refusal(signIn())).toBe('oidc_unavailable');
      expect(fake.requests).not.toContain('/token');
    },
  );

  it.each(['/.well-known/openid-configuration', '/keys', '/token', '/userinfo'])(
    'that hangs, fails, redirects or floods at %s ends the sign-in with a detail, and the next one succeeds',
    async (hit) => {
      const respond = (fault: (response: ServerResponse) => void) => {
        fake.tampering.answer = (path, response) => {
          if (path === hit) fault(response);
          return path === hit;
        };
      };
      const faults: ((response: ServerResponse) => void)[] = [
        (response) => response.writeHead(500).end('broken'),
        (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
        (response) => response.destroy(),
        (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(' '.repeat(300_000)),
      ];
      for (const fault of faults) {
        provider = providerOf();
        respond(fault);
        expect(['oidc_unavailable', 'oidc_token_invalid']).toContain(await refusal(signIn()));
        fake.tampering.answer = () => false;
        expect((await signIn()).account.subject).toBe('ada');
      }
      provider = providerOf({ timeoutMs: 100 });
      respond(() => undefined);
      expect(await refusal(signIn())).toBe('oidc_unavailable');
    },
  );

  it('that is down is unavailable, and one who leaves does not end the discovery of the others', async () => {
    provider = providerOf({}, 'http://127.0.0.1:9');
    expect(await refusal(begin())).toBe('oidc_unavailable');
    provider = providerOf();
    const leaving = new AbortController();
    const request = { state: 's', nonce: 'n', codeChallenge: 'c', redirectUri };
    const left = provider.authorizationUrl({ ...request, signal: leaving.signal });
    const stayed = provider.authorizationUrl({ ...request, signal });
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    expect(await stayed).toContain('/authorize');
    expect(fake.requests).toEqual(['/.well-known/openid-configuration']);
  });

  it('has a page to log out at, or none', async () => {
    const back = 'https://sluice.example.test/login';
    const page = new URL((await provider.endSessionUrl(back, signal)) ?? '');
    expect(page.searchParams.get('post_logout_redirect_uri')).toBe(back);
    fake.tampering.document = { end_session_endpoint: undefined };
    expect(await providerOf().endSessionUrl(back, signal)).toBeNull();
  });
});

describe('a logout token', () => {
  const now = () => Math.floor(Date.now() / 1_000);
  const right = () => ({
    iss: fake.issuer,
    aud: 'sluice',
    iat: now(),
    exp: now() + 120,
    jti: randomBytes(6).toString('hex'),
    events: { [EVENT]: {} },
    sub: 'ada',
    sid: 's-1',
  });
  const read = async (claims: Record<string, unknown>) => {
    const token = await fake.sign(JSON.parse(JSON.stringify(claims)), undefined, 'logout+jwt');
    return await provider.readLogoutToken(token, signal);
  };

  it('names an account, a session, or both', async () => {
    expect(await read(right())).toMatchObject({ issuer: fake.issuer, subject: 'ada', sid: 's-1' });
    expect(await read({ ...right(), sid: undefined })).toMatchObject({ subject: 'ada', sid: null });
    expect(await read({ ...right(), sub: undefined })).toMatchObject({ subject: null, sid: 's-1' });
  });

  it.each([
    ['of another issuer', { iss: 'https://evil.test' }],
    ['for another client', { aud: 'other' }],
    ['that is old', { iat: now() - 600, exp: undefined }],
    ['that has expired', { exp: now() - 100 }],
    ['of the future', { iat: now() + 600 }],
    ['without a time', { iat: undefined }],
    ['without an id', { jti: undefined }],
    ['about another event', { events: { other: {} } }],
    ['about no event, as an ID token is', { events: undefined }],
    ['with a nonce', { nonce: 'n' }],
    ['that names nobody', { sub: undefined, sid: undefined }],
    ['whose session is no text', { sid: 7 }],
  ])('%s is refused', async (_, claims) => {
    expect(await refusal(read({ ...right(), ...claims }))).toBe('oidc_logout_token_invalid');
  });

  it('that nobody, or somebody else, has signed is refused', async () => {
    const other = await fake.newKey();
    for (const token of [new UnsecuredJWT(right()).encode(), await fake.sign(right(), other), 'no token', '']) {
      expect(await refusal(provider.readLogoutToken(token, signal))).toBe('oidc_logout_token_invalid');
    }
  });
});
