import { CODE_ATTEMPTS } from '@sluice/core/account';
import { settableClock } from '@sluice/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  byPassword,
  enrollApp,
  limiter,
  logIn,
  loginOf,
  opened,
  PASSWORD,
  userWithPassword,
} from './second-factor-user.ts';
import { type Answer, type Login, type RunningApi, startApi } from './start-api.ts';

const clock = settableClock();
const now = () => clock.now().getTime();
const STEP_MS = 30_000;

let api: RunningApi;
beforeAll(async () => {
  api = await startApi({ clock, ports: { limiter: limiter() }, sessionTtlMs: 30 * 86_400_000 });
});
afterAll(() => api[Symbol.asyncDispose]());

const challengeOf = (answer: Answer) => String(answer.body.challenge);
const finish = (challenge: string, kind: string, code: string) =>
  logIn(api, { challenge, second_factor: { kind, code } });
const list = (as: Login) => api.call('GET', '/api/auth/second-factors', { as });
const acts = async (as: Login) =>
  ((await api.call('GET', '/api/audit', { as })).body.items as { action: string; detail: object }[]).map(
    ({ action, detail }) => [action, detail],
  );

/** A user with an authenticator app; the code that enrolled it is over. */
async function appUser() {
  const user = await userWithPassword(api);
  const app = await enrollApp(api, user, now);
  clock.advance(STEP_MS);
  return { ...user, app };
}

describe('a login with an authenticator app', () => {
  it('gets no session by the password, and one by the code', async () => {
    const { email, app, user } = await appUser();
    const asked = await byPassword(api, email);
    expect(asked.status).toBe(401);
    expect(asked.headers.getSetCookie()).toEqual([]);
    expect(asked.body).toMatchObject({
      code: 'second_factor_required',
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      second_factors: ['totp', 'recovery_code'],
      passkey_options: null,
      expires_at: new Date(now() + 300_000).toISOString(),
    });
    const finished = await finish(challengeOf(asked), 'totp', app.code());
    expect(finished.body).toMatchObject({ id: user.id, email });
    expect(opened(finished)).toBe(true);
    const as = await loginOf(api, finished);
    expect((await list(as)).body.items).toMatchObject([{ kind: 'totp', last_used_at: clock.now().toISOString() }]);
    expect(await acts(as)).toContainEqual([
      'session.opened',
      { by: 'password', client: 'node', second_factor: 'totp' },
    ]);
    // The challenge is used up.
    clock.advance(STEP_MS);
    expect((await finish(challengeOf(asked), 'totp', app.code())).body.code).toBe('second_factor_challenge_invalid');
  });

  it('takes codes one step early and late, each once, and in order', async () => {
    const { email, app } = await appUser();
    const attempt = async (steps: number) => {
      const { body, status } = await finish(challengeOf(await byPassword(api, email)), 'totp', app.code(steps));
      return status === 200 ? 'in' : body.code;
    };
    clock.advance(3 * STEP_MS);
    expect(await attempt(-2)).toBe('second_factor_wrong');
    expect(await attempt(-1)).toBe('in');
    expect(await attempt(-1)).toBe('second_factor_wrong');
    expect(await attempt(1)).toBe('in');
    expect(await attempt(0)).toBe('second_factor_wrong'); // before the last one
    expect(await attempt(2)).toBe('second_factor_wrong');
  });

  it('opens one session of two that finish with one challenge, and of two with one code', async () => {
    const { email, app } = await appUser();
    const [one, two] = [await byPassword(api, email), await byPassword(api, email)].map(challengeOf) as [
      string,
      string,
    ];
    const race = await Promise.all([one, one, two, two].map((challenge) => finish(challenge, 'totp', app.code())));
    expect(race.filter(opened)).toHaveLength(1);
  });

  it('takes a recovery code once, however it is typed, and one of two at once', async () => {
    const { email, app } = await appUser();
    const [first = '', second = ''] = app.recoveryCodes;
    expect(app.recoveryCodes).toHaveLength(10);
    const typed = ` ${first.toLowerCase().replaceAll('-', ' ')} `;
    const entered = await finish(challengeOf(await byPassword(api, email)), 'recovery_code', typed);
    expect(opened(entered)).toBe(true);
    const again = await finish(challengeOf(await byPassword(api, email)), 'recovery_code', first);
    expect(again.body.code).toBe('second_factor_wrong');
    const asked = [await byPassword(api, email), await byPassword(api, email)].map(challengeOf);
    const race = await Promise.all(asked.map((challenge) => finish(challenge, 'recovery_code', second)));
    expect(race.filter(opened)).toHaveLength(1);
    const as = await loginOf(api, entered);
    expect((await list(as)).body).toMatchObject({ recovery_codes_left: 8 });
  });

  it('is void after five minutes, a change of the password, or the end of the account', async () => {
    const attempt = async (between: (user: Awaited<ReturnType<typeof appUser>>) => unknown) => {
      const user = await appUser();
      const asked = await byPassword(api, user.email);
      await between(user);
      return (await finish(challengeOf(asked), 'totp', user.app.code())).body.code;
    };
    const password = { password: 'a staple of batteries', current_password: PASSWORD };
    expect([
      await attempt(() => clock.advance(300_000)),
      await attempt((as) => api.call('PATCH', '/api/auth/me', { as, json: password })),
      await attempt(({ user }) => api.stores.users.disable(user.id)),
      await attempt(({ user }) => api.stores.secondFactors.removeAll(user.id)),
    ]).toEqual(Array(4).fill('second_factor_challenge_invalid'));
  });

  it('is bounded: five attempts at a login, ten wrong codes an hour at an account, 240 a day', async () => {
    const { email, app } = await appUser();
    const wrong = app.code(5);
    let challenge = challengeOf(await byPassword(api, email));
    const codes: unknown[] = [];
    for (let count = 0; count < 6; count += 1) codes.push((await finish(challenge, 'totp', wrong)).body.code);
    expect(codes).toEqual([...Array(5).fill('second_factor_wrong'), 'second_factor_challenge_invalid']);
    // From many addresses at once, with as many logins as they like. What is counted is counted in the store.
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { user } = await api.stores.users.credentials(email).then((known) => known ?? { user: null });
        const hash = `parallel ${Math.random()}`;
        const bound = { passwordDigest: 'd', sessionId: null, toSign: null, expiresAt: new Date(now() + 300_000) };
        if (user !== null) await api.stores.secondFactors.begin({ hash, userId: user.id, purpose: 'login', ...bound });
        return await api.stores.secondFactors.attempt(hash, true);
      }),
    );
    expect(outcomes.filter(({ kind }) => kind === 'counted')).toHaveLength(CODE_ATTEMPTS - 5);
    challenge = challengeOf(await byPassword(api, email));
    const paused = await finish(challenge, 'totp', app.code());
    expect(paused).toMatchObject({
      status: 429,
      body: { code: 'second_factor_paused', limit: 10, window_seconds: 3_600 },
    });
    expect(Number(paused.headers.get('retry-after'))).toBe(3_600);
    // Its user still gets in with what cannot be guessed.
    expect(opened(await finish(challenge, 'recovery_code', app.recoveryCodes[0] ?? ''))).toBe(true);
  });

  it('says nothing of a second factor for a wrong password', async () => {
    const [{ email }, plain] = [await appUser(), await userWithPassword(api)];
    const told = async (address: string) => {
      const { status, body } = await logIn(api, { email: address, password: 'wrong horse battery' });
      const { request_id: _, ...rest } = body;
      return [status, rest];
    };
    expect(await told(email)).toEqual(await told(plain.email));
    expect(await told(email)).toEqual(await told('nobody@example.test'));
  });

  it.each([
    ['nothing', {}, ['email', 'password']],
    ['half of a password login', { email: 'a@b.c' }, ['password']],
    ['half of a second step', { challenge: 'x'.repeat(43) }, ['second_factor']],
    ['both', { email: 'a@b.c', challenge: 'x'.repeat(43), second_factor: { kind: 'totp', code: '1' } }, ['email']],
    ['another kind', { challenge: 'x'.repeat(43), second_factor: { kind: 'sms', code: '1' } }, ['second_factor.kind']],
  ])('is a 400 that names the fields for %s', async (_, json, paths) => {
    const { status, body } = await logIn(api, json);
    expect(status).toBe(400);
    expect((body.errors as { path: string }[]).map(({ path }) => path)).toEqual(paths);
  });
});

describe('second factors of an account', () => {
  it('are changed with the current password alone, and each change ends the other sessions', async () => {
    const user = await userWithPassword(api);
    const others = async () => (await api.call('GET', '/api/auth/sessions', { as: user })).body.items as unknown[];
    const wrong = { current_password: 'wrong horse battery' };
    const app = await enrollApp(api, user, now);
    const at = `/api/auth/second-factors/${app.id}`;
    for (const [method, path, more] of [
      ['POST', '/api/auth/second-factors/totp', {}],
      ['POST', '/api/auth/second-factors/passkey', {}],
      ['PATCH', at, { name: 'Mine' }],
      ['POST', `${at}/remove`, {}],
      ['POST', '/api/auth/second-factors/recovery-codes', {}],
    ] as const) {
      const refused = await api.call(method, path, { as: user, json: { ...wrong, ...more } });
      expect([path, refused.status, refused.body.code]).toEqual([path, 403, 'password_wrong']);
    }
    const json = { current_password: PASSWORD };
    expect((await api.call('PATCH', at, { as: user, json: { ...json, name: 'Old phone' } })).body.name).toBe(
      'Old phone',
    );
    await api.otherSession(user);
    expect(await others()).toHaveLength(2);
    const replaced = await api.call('POST', '/api/auth/second-factors/recovery-codes', { as: user, json });
    expect(await others()).toHaveLength(1);
    expect(replaced.body.recovery_codes).toHaveLength(10);
    expect(replaced.body.recovery_codes).not.toContain(app.recoveryCodes[0]);
    await api.otherSession(user);
    expect((await api.call('POST', `${at}/remove`, { as: user, json })).status).toBe(204);
    expect(await others()).toHaveLength(1);
    expect((await list(user)).body).toMatchObject({ items: [], recovery_codes_left: 0 });
    expect(opened(await byPassword(api, user.email))).toBe(true);
    expect((await acts(user)).map(([action]) => action)).toEqual([
      'session.opened',
      'account.factor_removed',
      'account.recovery_codes_replaced',
      'account.factor_renamed',
      'account.factor_added',
    ]);
  });

  it('count only once a code has confirmed them, in the session that began, within ten minutes', async () => {
    const user = await userWithPassword(api);
    const begin = async () =>
      (await api.call('POST', '/api/auth/second-factors/totp', { as: user, json: { current_password: PASSWORD } }))
        .body;
    const add = (as: Login, challenge: unknown, code = '000000') =>
      api.call('POST', '/api/auth/second-factors', { as, json: { challenge, name: 'Phone', code } });
    const { challenge } = await begin();
    expect((await add(user, challenge)).body.errors).toMatchObject([{ path: 'code' }]);
    expect((await add(await api.otherSession(user), challenge)).body.code).toBe('enrollment_expired');
    expect((await add(await userWithPassword(api), challenge)).body.code).toBe('enrollment_expired');
    expect((await list(user)).body.items).toEqual([]);
    expect(opened(await byPassword(api, user.email))).toBe(true);
    for (let count = 3; count < 5; count += 1) await add(user, challenge);
    expect((await add(user, challenge)).body.code).toBe('enrollment_expired');
    const late = await begin();
    clock.advance(600_000);
    expect((await add(user, late.challenge)).body.code).toBe('enrollment_expired');
    // It is no login either.
    expect((await finish(String((await begin()).challenge), 'totp', '000000')).body.code).toBe(
      'second_factor_challenge_invalid',
    );
  });

  it('are kept from others, are encrypted at rest, and never leave the server', async () => {
    const { app, ...user } = await appUser();
    const json = { current_password: PASSWORD };
    const stranger = await userWithPassword(api);
    const theirs = await api.call('POST', `/api/auth/second-factors/${app.id}/remove`, { as: stranger, json });
    expect(theirs.body.code).toBe('second_factor_not_found');
    const [stored] = await api.stores.secondFactors.list(user.user.id);
    expect(JSON.stringify(stored)).toContain('"encrypted":"k1:');
    expect(Object.keys(((await list(user)).body.items as object[])[0] ?? {})).toEqual([
      'id',
      'kind',
      'name',
      'created_at',
      'last_used_at',
    ]);
  });

  it('need a password: an account of the code host has none to protect', async () => {
    const user = await api.login();
    const { users } = api.deps;
    const json = { current_password: 'x' };
    const spied = { ...users, passwordHash: async () => null };
    await using other = await startApi({ clock, openStores: async () => ({ ...api.stores, users: spied }) as never });
    expect((await other.call('POST', '/api/auth/second-factors/totp', { as: user, json })).body.code).toBe(
      'account_without_password',
    );
  });
});
