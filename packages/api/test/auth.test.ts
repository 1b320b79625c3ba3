import { hash } from '@node-rs/argon2';
import type { SessionId, UserId } from '@sluice/core/id';
import { newId, settableClock } from '@sluice/testing';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isWeakHash } from '../src/identity/login/passwords.ts';
import { type Answer, type RunningApi, startApi } from './start-api.ts';

let api: RunningApi;
beforeEach(async () => {
  api = await startApi();
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
});

const ada = { email: 'ada@example.com', password: 'correct horse battery' };
const cookieOf = (answer: Answer) => answer.headers.getSetCookie()[0] ?? '';
const sessionOf = (answer: Answer) => cookieOf(answer).split(';')[0] ?? '';
const me = (cookie: string) => api.call('GET', '/api/auth/me', { headers: { cookie } });

describe('register', () => {
  it('answers 201 with the profile and sets a session cookie that the body does not have', async () => {
    const answer = await api.call('POST', '/api/auth/register', { json: { ...ada, name: 'Ada' } });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: 'ada@example.com',
      email_verified_at: null,
      name: 'Ada',
      avatar_url: null,
      codehost_id: null,
      codehost_login: null,
      operator: true,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(cookieOf(answer)).toMatch(
      /^access_token=[\w-]+\.[\w-]+\.[\w-]+; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const token = sessionOf(answer).slice('access_token='.length);
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256' });
    expect(Object.keys(decodeJwt(token)).sort()).toEqual(['exp', 'iat', 'sid', 'sub']);
    expect(answer.text).not.toContain(token);
    expect((await me(sessionOf(answer))).body).toEqual(answer.body);
  });

  it('keeps an argon2id hash at the OWASP minimum and never the password', async () => {
    await api.call('POST', '/api/auth/register', { json: ada });
    const known = await api.stores.users.credentials(ada.email);
    expect(known?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(JSON.stringify(api.logged)).not.toContain(ada.password);
  });

  it('answers 401 for an e-mail that is taken, however it is written', async () => {
    await api.call('POST', '/api/auth/register', { json: ada });
    const again = await api.call('POST', '/api/auth/register', { json: { ...ada, email: ' ADA@Example.com ' } });
    expect(again.status).toBe(401);
    expect(again.body).toMatchObject({
      detail: 'This e-mail cannot be registered. If it is yours, log in.',
      code: 'email_unavailable',
    });
    expect(again.headers.getSetCookie()).toEqual([]);
  });

  it.each([
    ['no e-mail', { password: ada.password }, 'email'],
    ['an e-mail that is none', { ...ada, email: 'ada' }, 'email'],
    ['a short password', { ...ada, password: 'seven77' }, 'password'],
    ['a long password', { ...ada, password: `${'horse '.repeat(22)}x` }, 'password'],
    ['a common password', { ...ada, password: 'Password123' }, 'password'],
    ['an unknown field', { ...ada, admin: true }, 'admin'],
  ])('answers 400 that names the field for %s', async (_what, json, path) => {
    const answer = await api.call('POST', '/api/auth/register', { json });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'validation_failed', errors: [{ path }] });
    expect(answer.body.detail).toContain(path);
  });

  it('registers only the first user with REGISTRATION=first-user, and none with closed', async () => {
    await using first = await startApi({ registration: 'first-user' });
    expect((await first.call('POST', '/api/auth/register', { json: ada })).status).toBe(201);
    const second = await first.call('POST', '/api/auth/register', { json: { ...ada, email: 'b@example.com' } });
    expect([second.status, second.body.code]).toEqual([403, 'registration_closed']);

    await using contested = await startApi({ registration: 'first-user' });
    const both = await Promise.all(
      ['c@example.com', 'd@example.com', 'e@example.com'].map((email) =>
        contested.call('POST', '/api/auth/register', { json: { ...ada, email } }),
      ),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([201, 403, 403]);

    await using closed = await startApi({ registration: 'closed' });
    expect((await closed.call('POST', '/api/auth/register', { json: ada })).status).toBe(403);
  });

  it('makes the cookie Secure when the public URL is https', async () => {
    await using https = await startApi({ publicUrl: new URL('https://sluice.example') });
    const answer = await https.call('POST', '/api/auth/register', { json: ada });
    expect(cookieOf(answer)).toMatch(/; Secure$/);
    expect(answer.headers.get('strict-transport-security')).toContain('max-age');
  });
});

describe('login', () => {
  it('answers 200 with the profile and a session, and 401 alike for a wrong password and an unknown e-mail', async () => {
    const registered = await api.call('POST', '/api/auth/register', { json: ada });
    const good = await api.call('POST', '/api/auth/login', { json: { ...ada, email: 'Ada@example.com' } });
    expect(good.status).toBe(200);
    expect(good.body).toEqual(registered.body);
    expect((await me(sessionOf(good))).status).toBe(200);

    const wrong = await api.call('POST', '/api/auth/login', { json: { ...ada, password: 'wrong' } });
    const unknown = await api.call('POST', '/api/auth/login', { json: { ...ada, email: 'nobody@example.com' } });
    for (const answer of [wrong, unknown]) {
      expect(answer.status).toBe(401);
      expect({ ...answer.body, request_id: null }).toEqual({
        detail: 'The e-mail or the password is wrong.',
        code: 'bad_credentials',
        request_id: null,
      });
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  it('replaces a weak hash at the next login', async () => {
    const weak = await hash(ada.password, { algorithm: 2, memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    const id = newId<UserId>();
    await api.stores.users.create({ id, email: ada.email, name: null, passwordHash: weak, onlyIfFirst: false });
    expect(isWeakHash(weak)).toBe(true);
    expect((await api.call('POST', '/api/auth/login', { json: ada })).status).toBe(200);
    const now = await api.stores.users.credentials(ada.email);
    expect(isWeakHash(now?.passwordHash ?? '')).toBe(false);
    expect((await api.call('POST', '/api/auth/login', { json: ada })).status).toBe(200);
  });
});

describe('sessions', () => {
  it('ends at logout, on the server and in the browser, and no other session with it', async () => {
    const a = await api.call('POST', '/api/auth/register', { json: ada });
    const b = await api.call('POST', '/api/auth/login', { json: ada });
    const out = await api.call('POST', '/api/auth/logout', { headers: { cookie: sessionOf(a) } });
    expect([out.status, out.text, out.headers.get('content-type')]).toEqual([204, '', null]);
    expect(cookieOf(out)).toMatch(/^access_token=; Max-Age=0;.*HttpOnly; SameSite=Lax$/);
    expect((await me(sessionOf(a))).status).toBe(401);
    expect((await me(sessionOf(b))).status).toBe(200);
    expect((await api.call('POST', '/api/auth/logout', { headers: { cookie: sessionOf(a) } })).status).toBe(401);
  });

  it('ends when a login replaces its cookie, whoever logs in, and with it no other session', async () => {
    const apart = { email: 'apart@example.com', password: ada.password };
    await api.call('POST', '/api/auth/register', { json: ada });
    const cookies = (await Promise.all([1, 2].map(() => api.call('POST', '/api/auth/login', { json: ada })))).map(
      sessionOf,
    );
    const [first = '', second = ''] = cookies;
    const again = await api.call('POST', '/api/auth/login', { json: ada, headers: { cookie: first } });
    expect([(await me(first)).status, (await me(second)).status, (await me(sessionOf(again))).status]).toEqual([
      401, 200, 200,
    ]);
    const other = await api.call('POST', '/api/auth/register', { json: apart, headers: { cookie: second } });
    expect([(await me(second)).status, (await me(sessionOf(other))).status]).toEqual([401, 200]);
    const refused = { ...ada, password: 'not the right one' };
    await api.call('POST', '/api/auth/login', { json: refused, headers: { cookie: sessionOf(again) } });
    expect((await me(sessionOf(again))).status).toBe(200);
  });

  it('is 401 at once when its row was revoked', async () => {
    const login = await api.login();
    expect((await me(login.cookie)).status).toBe(200);
    await api.stores.sessions.revoke(login.sessionId);
    const answer = await me(login.cookie);
    expect([answer.status, answer.body.code]).toEqual([401, 'session_missing']);
  });

  it('is 401 after it has expired', async () => {
    const clock = settableClock();
    await using aged = await startApi({ clock, sessionTtlMs: 60_000 });
    const login = await aged.login();
    expect((await aged.call('GET', '/api/auth/me', { as: login })).status).toBe(200);
    clock.advance(61_000);
    expect((await aged.call('GET', '/api/auth/me', { as: login })).status).toBe(401);
  });

  it('is never an Authorization header', async () => {
    const { cookie } = await api.login();
    const token = cookie.slice('access_token='.length);
    const answer = await api.call('GET', '/api/auth/me', { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(401);
  });

  it('is refused with another key, another algorithm, none, or without one of its claims', async () => {
    const { user, sessionId } = await api.login();
    const key = new Uint8Array(32).fill(7);
    const claims = { sub: user.id, sid: sessionId, iat: 1_700_000_000, exp: 4_000_000_000 };
    const sign = (payload: Record<string, unknown>, alg = 'HS256', secret = key) =>
      new SignJWT(payload).setProtectedHeader({ alg }).sign(secret);
    expect((await me(`access_token=${await sign(claims)}`)).status).toBe(200);

    const { exp: _exp, ...endless } = claims;
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const forged = [
      await sign(claims, 'HS256', new Uint8Array(32).fill(8)),
      await sign(claims, 'HS512', new Uint8Array(64).fill(7)),
      await sign(endless),
      await sign({ ...claims, sub: newId() }),
      await sign({ ...claims, sid: newId<SessionId>() }),
      await sign({ ...claims, sid: 7 }),
      `${part({ alg: 'none' })}.${part(claims)}.`,
      'a.b.c',
      'x'.repeat(5_000),
      '',
    ];
    for (const token of forged) expect((await me(`access_token=${token}`)).status, token).toBe(401);
    expect((await me('access_token')).status).toBe(401);
    expect((await me(`other=1; access_token=${await sign(claims)}; more=2`)).status).toBe(200);
  });
});

describe('the code host', () => {
  it('answers 409 while none is configured, after the session where one is needed', async () => {
    const as = await api.login();
    const routes: [string, string, boolean][] = [
      ['POST', '/api/auth/codehost', false],
      ['GET', '/api/auth/codehost/callback?code=1&state=2&iss=provider', false],
      ['DELETE', '/api/auth/codehost', true],
      ['GET', '/api/codehost/repos?page=1&per_page=30&q=a', true],
    ];
    for (const [method, path, needsSession] of routes) {
      const answer = await api.call(method, path, { as });
      expect([answer.status, answer.body.code], path).toEqual([409, 'codehost_not_configured']);
      expect(answer.body.detail).toContain('CODEHOST_CLIENT_ID');
      expect((await api.call(method, path)).status, path).toBe(needsSession ? 401 : 409);
    }
  });
});
