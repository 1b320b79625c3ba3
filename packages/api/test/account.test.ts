import { eventually, newId, settableClock } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPasswords } from '../src/identity/login/passwords.ts';
import { openStream } from './feed/open-stream.ts';
import { type Answer, type Login, type RunningApi, startApi } from './start-api.ts';

const clock = settableClock(new Date());
let api: RunningApi;
let ada: Login;
const password = 'correct horse battery';
beforeEach(async () => {
  api = await startApi({ clock });
  ada = await api.login({ name: 'Ada' });
  const passwordHash = await createPasswords().hash(password);
  await api.stores.users.changeAccount(ada.user.id, { passwordHash, keep: ada.sessionId });
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
});

/** The bound for "within a second" on a busy machine. Without a signal a stream ends at its next look, 15 s later. */
const PROMPTLY_MS = 10_000;
const isLive = async (login: Login) => (await api.call('GET', '/api/auth/me', { as: login })).status === 200;
const patch = (json: unknown, as = ada): Promise<Answer> => api.call('PATCH', '/api/auth/me', { as, json });
const logIn = async (email: string | null, given: string) =>
  (await api.call('POST', '/api/auth/login', { json: { email, password: given } })).status;

describe('the sessions of a user', () => {
  it('are listed newest first, only live ones, with the current one marked', async () => {
    const other = await api.otherSession(ada);
    const ended = await api.otherSession(ada);
    await api.stores.sessions.revoke(ended.sessionId);
    await api.login();
    const { status, body } = await api.call('GET', '/api/auth/sessions', { as: ada });
    expect(status).toBe(200);
    const created_at = expect.stringMatching(/Z$/);
    const common = {
      client: null,
      created_at,
      last_seen_at: created_at,
      idle_ends_at: null,
      expires_at: created_at,
    };
    const items = [
      { ...common, id: ada.sessionId, current: true },
      { ...common, id: other.sessionId, current: false },
    ];
    expect(body).toEqual({ items: items.toSorted((a, b) => (a.id < b.id ? 1 : -1)), next_cursor: null });
    const page = await api.call('GET', '/api/auth/sessions?limit=1', { as: ada });
    const rest = await api.call('GET', `/api/auth/sessions?limit=1&cursor=${page.body.next_cursor}`, { as: ada });
    expect([page.body.items, rest.body.items].flat()).toEqual(body.items);
  });

  it('say by which client they were opened, and neither its address nor its version', async () => {
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' };
    const json = { email: ada.user.email, password };
    expect((await api.call('POST', '/api/auth/login', { json, headers })).status).toBe(200);
    const { body, text } = await api.call('GET', '/api/auth/sessions', { as: ada });
    expect(body.items).toContainEqual(expect.objectContaining({ client: 'Firefox on Linux', current: false }));
    expect(text).not.toMatch(/145\.0|Firefox\/|127\.0\.0\.1/); // ids and times may have any digits
  });

  it('end one by one, with the streams that they opened', async () => {
    const other = await api.otherSession(ada);
    const { id } = await api.issue(ada);
    await using stream = await openStream(`${api.url}/api/issues/${id}/events`, { cookie: other.cookie });
    await using own = await openStream(`${api.url}/api/issues/${id}/events`, { cookie: ada.cookie });
    await eventually(() => expect(stream.events().length).toBeGreaterThan(0));
    const answer = await api.call('DELETE', `/api/auth/sessions/${other.sessionId}`, { as: ada });
    expect([answer.status, answer.text, answer.headers.getSetCookie()]).toEqual([204, '', []]);
    const closed = await Promise.race([
      stream.ended,
      new Promise((resolve) => setTimeout(resolve, PROMPTLY_MS, 'open')),
    ]);
    expect(closed).not.toBe('open');
    expect([await isLive(other), await isLive(ada)]).toEqual([false, true]);
    expect(own.events().length).toBeGreaterThan(0);
  });

  it('end with one’s own as with a logout', async () => {
    const answer = await api.call('DELETE', `/api/auth/sessions/${ada.sessionId}`, { as: ada });
    expect(answer.status).toBe(204);
    expect(answer.headers.getSetCookie()[0]).toMatch(/^access_token=; Max-Age=0;/);
    expect(await isLive(ada)).toBe(false);
  });

  it('cannot be ended by another user', async () => {
    const eve = await api.login();
    const end = (id: string) => api.call('DELETE', `/api/auth/sessions/${id}`, { as: eve });
    expect(await end(ada.sessionId)).toMatchObject({ status: 403, body: { code: 'not_owner' } });
    expect(await isLive(ada)).toBe(true);
    await api.stores.sessions.revoke(ada.sessionId);
    for (const id of [ada.sessionId, newId(), 'x', '%00']) {
      expect(await end(id)).toMatchObject({ status: 404, body: { code: 'session_not_found' } });
    }
  });
});

describe('a change of one’s account', () => {
  it('is of what it names, and a name takes no password', async () => {
    const before = (await api.call('GET', '/api/auth/me', { as: ada })).body;
    const answer = await patch({ name: 'Augusta' });
    expect([answer.status, answer.body]).toEqual([200, { ...before, name: 'Augusta' }]);
    expect((await patch({ name: null })).body).toEqual({ ...before, name: null });
    expect(await logIn(ada.user.email, password)).toBe(200);
  });

  it.each([
    [{}, ''],
    [{ current_password: password }, ''],
    [{ password: 'a staple of batteries' }, 'current_password'],
    [{ email: 'augusta@example.com' }, 'current_password'],
    [{ password: 'seven77', current_password: password }, 'password'],
    [{ password: 'Password123', current_password: password }, 'password'],
    [{ email: 'augusta', current_password: password }, 'email'],
    [{ name: '' }, 'name'],
    [{ name: 'A', admin: true }, 'admin'],
  ])('is a 400 that names the field: %j', async (json, path) => {
    const answer = await patch(json);
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', errors: [{ path }] } });
    expect(await logIn(ada.user.email, password)).toBe(200);
  });

  it('to a new password ends the other sessions with their streams, and the old password', async () => {
    const other = await api.otherSession(ada);
    const { id } = await api.issue(ada);
    await using stream = await openStream(`${api.url}/api/issues/${id}/events`, { cookie: other.cookie });
    await eventually(() => expect(stream.events().length).toBeGreaterThan(0));
    const answer = await patch({ password: 'a staple of batteries', current_password: password });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []]);
    const closed = await Promise.race([
      stream.ended,
      new Promise((resolve) => setTimeout(resolve, PROMPTLY_MS, 'open')),
    ]);
    expect(closed).not.toBe('open');
    expect([await isLive(ada), await isLive(other)]).toEqual([true, false]);
    expect(await logIn(ada.user.email, password)).toBe(401);
    expect(await logIn(ada.user.email, 'a staple of batteries')).toBe(200);
  });

  it('to a new e-mail is a login by that one alone', async () => {
    const answer = await patch({ email: ' Augusta@Example.com ', current_password: password });
    expect(answer.body).toMatchObject({ email: 'augusta@example.com' });
    expect(await logIn('augusta@example.com', password)).toBe(200);
    expect(await logIn(ada.user.email, password)).toBe(401);
  });

  it('to an e-mail that is taken is answered like a registration with it, and changes nothing', async () => {
    const { user } = await api.login();
    const answer = await patch({ email: user.email?.toUpperCase(), name: 'X', current_password: password });
    const registered = await api.call('POST', '/api/auth/register', { json: { email: user.email, password } });
    const { request_id: _, ...refusal } = registered.body;
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject(refusal);
    expect((await api.call('GET', '/api/auth/me', { as: ada })).body.name).toBe('Ada');
  });

  it('with a wrong current password is a 403, ten times an hour and then 429 even with the right one', async () => {
    const change = { password: 'a staple of batteries' };
    for (let count = 0; count < 10; count += 1) {
      const answer = await patch({ ...change, current_password: `guess ${count}` });
      expect(answer).toMatchObject({ status: 403, body: { code: 'password_wrong' } });
    }
    const other = await api.otherSession(ada);
    expect((await patch({ ...change, current_password: password }, other)).status).toBe(429);
    expect(await logIn(ada.user.email, password)).toBe(200);
  });

  it('gives an account from the code host its first password, with an e-mail to go with it', async () => {
    const account = { id: '7', login: 'ada-l', name: 'Ada', avatarUrl: null };
    const grant = { encryptedToken: { encrypted: 'k1:AAAA', nonce: 'BBBB' }, expiresAt: null };
    const newUser = { id: newId<Login['user']['id']>(), onlyIfFirst: false };
    const outcome = await api.stores.codehostLinks.signIn(account, () => grant, newUser);
    if (outcome.kind !== 'created') throw new Error('The user was not made.');
    const hosted = await api.otherSession({ ...ada, user: outcome.user });
    const alone = await patch({ password }, hosted);
    expect(alone).toMatchObject({ status: 400, body: { errors: [{ path: 'email' }] } });
    clock.advance(11 * 60_000);
    for (const change of [{ email: 'ada-l@example.com' }, { password, email: 'ada-l@example.com' }]) {
      const late = await patch(change, hosted);
      expect([late.status, late.body.code]).toEqual([403, 'sign_in_not_recent']);
    }
    expect((await patch({ name: 'Ada L.' }, hosted)).status).toBe(200);
    const again = await api.otherSession(hosted);
    expect((await patch({ password, email: 'ada-l@example.com' }, again)).status).toBe(200);
    expect(await logIn('ada-l@example.com', password)).toBe(200);
    expect(await patch({ password: 'another password' }, again)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'current_password' }] },
    });
  });

  it('and its hash appear in no answer and in no log', async () => {
    const secret = 'a staple of batteries';
    const answers = [
      await patch({ password: secret, current_password: password }),
      await patch({ password: 'seven77', current_password: secret }),
      await api.call('GET', '/api/audit', { as: ada }),
    ];
    const seen = JSON.stringify([answers.map(({ text }) => text), api.logged]);
    expect(seen).not.toMatch(/staple|battery|argon2/);
  });
});
