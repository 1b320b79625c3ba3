import { hashApiToken, type NewApiToken, renderApiToken } from '@sluice/core/api-token';
import { aNewApiToken, newId } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStream } from './feed/open-stream.ts';
import { enrollApp, userWithPassword } from './second-factor-user.ts';
import { type Login, type RunningApi, startApi } from './start-api.ts';

let api: RunningApi;
/** The first account, and so the operator. */
let ada: Login;
let grace: Login;
beforeEach(async () => {
  api = await startApi({ takesApiTokens: true });
  ada = await api.login({ email: 'ada@example.com', name: 'Ada' });
  grace = await api.login({ email: 'grace@example.com', name: 'Grace' });
});
afterEach(() => api[Symbol.asyncDispose]());

const pathOf = ({ user }: Login, rest = '') => `/api/admin/users/${user.id}${rest}`;
const patch = (of: Login, json: unknown, as = ada) => api.call('PATCH', pathOf(of), { as, json });

async function tokenOf({ user }: Login, given: Partial<NewApiToken> = {}) {
  const text = renderApiToken(crypto.getRandomValues(new Uint8Array(32)));
  const expiresAt = new Date(Date.now() + 3_600_000);
  const token = aNewApiToken({ userId: user.id, scope: 'admin', expiresAt, hash: hashApiToken(text), ...given });
  await api.stores.apiTokens.create(token);
  return { id: token.id, text };
}

/** The audit entries of a user: who acted, what they did, and which operator it was. */
const actsOn = async ({ user }: Login) =>
  (await api.stores.audit.list(user.id, { limit: 20, cursor: null })).items
    .filter(({ actor }) => actor.kind === 'operator')
    .map(({ act }) => [act.action, (act.detail as { by?: string }).by])
    .toReversed();

describe('an operator', () => {
  it('lists the users with what they have, and finds some of them', async () => {
    await api.repo(grace);
    await tokenOf(grace);
    const { body, text } = await api.call('GET', '/api/admin/users', { as: ada });
    expect(body.items).toMatchObject([
      {
        ...{ email: 'grace@example.com', operator: false, has_password: true, disabled_at: null, second_factor: false },
        ...{ live_sessions: 1, live_tokens: 1, repositories: 1, failed_logins: 0, last_seen_at: expect.any(String) },
      },
      { email: 'ada@example.com', operator: true, live_tokens: 0, repositories: 0 },
    ]);
    expect(text).not.toMatch(/hash|argon|slc_/);
    const emails = async (query: string) => {
      const answer = await api.call('GET', `/api/admin/users?${query}`, { as: ada });
      return [(answer.body.items as { email: string }[]).map(({ email }) => email), answer.body.next_cursor !== null];
    };
    expect(await emails('q=GRACE&limit=1')).toEqual([['grace@example.com'], false]);
    expect(await emails('state=operator')).toEqual([['ada@example.com'], false]);
    expect(await emails('state=disabled')).toEqual([[], false]);
    expect(await emails('limit=1')).toEqual([['grace@example.com'], true]);
    expect((await api.call('GET', '/api/admin/users?state=gone', { as: ada })).status).toBe(400);
    const { items } = body as { items: unknown[] };
    expect((await api.call('GET', pathOf(grace), { as: ada })).body).toEqual(items[0]);
  });

  it('disables a user, whose session and API token are refused at once and whose issues are cancelled', async () => {
    const { id } = await api.issue(grace);
    const { text } = await tokenOf(grace);
    const me = async () => (await api.call('GET', '/api/repos', { by: text })).status;
    expect(await me()).toBe(200);
    const streams = [{ cookie: grace.cookie }, { authorization: `Bearer ${text}` }];
    const open = await Promise.all(streams.map((headers) => openStream(`${api.url}/api/events?after=0`, headers)));
    const disabled = await patch(grace, { disabled: true });
    expect([disabled.status, disabled.body]).toMatchObject([
      200,
      { live_sessions: 0, disabled_at: expect.any(String) },
    ]);
    expect([(await api.call('GET', '/api/auth/me', { as: grace })).status, await me()]).toEqual([401, 401]);
    for (const stream of open) expect(await stream.ended).toBe('closed');
    expect(await api.stores.issues.get(id as never)).toMatchObject({ status: 'cancelled' });
    expect((await patch(grace, { disabled: true })).status).toBe(200);
    expect((await patch(grace, { disabled: false })).body).toMatchObject({ disabled_at: null });
    expect(await me()).toBe(200);
    expect(await actsOn(grace)).toEqual([
      ['account.disabled', ada.user.id],
      ['issue.cancelled', undefined],
      ['account.disabled', ada.user.id],
      ['account.enabled', ada.user.id],
    ]);
  });

  it('closes the stream of a token of a disabled user, even if many newer ones have expired', async () => {
    const { text } = await tokenOf(grace);
    for (let count = 0; count < 100; count += 1) await tokenOf(grace, { expiresAt: new Date(0) });
    const stream = await openStream(`${api.url}/api/events?after=0`, { authorization: `Bearer ${text}` });
    expect((await patch(grace, { disabled: true })).status).toBe(200);
    expect(await stream.ended).toBe('closed');
  });

  it('keeps the issues of a disabled user where they ask for it', async () => {
    const { id } = await api.issue(grace);
    await patch(grace, { disabled: true, keep_issues: true });
    expect(await api.stores.issues.get(id as never)).toMatchObject({ status: 'running' });
  });

  it('makes other operators and takes that back, but can neither disable nor demote themselves', async () => {
    for (const json of [{ operator: false }, { disabled: true }]) {
      const refused = await patch(ada, json);
      expect([refused.status, refused.body.code]).toEqual([409, 'own_account']);
    }
    expect((await patch(grace, { operator: true })).body).toMatchObject({ operator: true });
    expect((await patch(ada, { operator: false }, grace)).body).toMatchObject({ operator: false });
    expect((await patch(grace, { operator: false })).body).toMatchObject({ code: 'operator_required' });
    expect(await actsOn(ada)).toEqual([['account.operator_revoked', grace.user.id]]);
    expect((await api.call('PATCH', pathOf(grace), { as: grace, json: { keep_issues: true } })).status).toBe(400);
  });

  it('leaves one who can log in when two disable each other at the same moment', async () => {
    await patch(grace, { operator: true });
    const answers = await Promise.all([patch(grace, { disabled: true }, ada), patch(ada, { disabled: true }, grace)]);
    const { items } = await api.stores.users.accounts({ limit: 9, cursor: null }, { state: 'operator' });
    expect(items).toHaveLength(1);
    // The other request may have come first, and so lost its session, or its transaction was the later one.
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
  });

  it('lists and ends the sessions of a user, who can log in again', async () => {
    await api.otherSession(grace);
    const listed = await api.call('GET', pathOf(grace, '/sessions'), { as: ada });
    expect(listed.body.items).toMatchObject([{ current: false }, { current: false }]);
    const { status } = await api.call('POST', pathOf(grace, '/end-sessions'), { as: ada });
    expect([status, await api.stores.sessions.find(grace.sessionId)]).toEqual([204, null]);
    expect((await api.stores.users.account(grace.user.id))?.disabledAt).toBeNull();
    expect((await api.call('GET', pathOf(ada, '/sessions'), { as: ada })).body.items).toMatchObject([
      { current: true },
    ]);
    expect(await actsOn(grace)).toEqual([['account.sessions_ended', ada.user.id]]);
  });

  it('lists the API tokens of a user, and revokes one of them', async () => {
    const [hers, mine] = [await tokenOf(grace, { name: 'CI' }), await tokenOf(ada)];
    const listed = await api.call('GET', pathOf(grace, '/tokens'), { as: ada });
    expect(listed.body.items).toMatchObject([{ id: hers.id, name: 'CI', user_id: grace.user.id }]);
    const revoke = (of: Login, id: string) => api.call('DELETE', pathOf(of, `/tokens/${id}`), { as: ada });
    expect((await revoke(grace, mine.id)).body.code).toBe('api_token_not_found');
    expect((await revoke(grace, hers.id)).status).toBe(204);
    expect((await revoke(grace, hers.id)).body.code).toBe('api_token_not_found');
    expect((await api.call('GET', '/api/repos', { by: hers.text })).body.code).toBe('token_invalid');
    expect((await api.call('GET', '/api/repos', { by: mine.text })).status).toBe(200);
    expect(await actsOn(grace)).toEqual([['token.revoked', ada.user.id]]);
  });

  it('removes the second factors of a user who has lost them', async () => {
    const eve = await userWithPassword(api);
    await enrollApp(api, eve);
    const shown = async () =>
      (await api.call('GET', `/api/admin/users?q=${eve.email}`, { as: ada })).body.items as {
        second_factor: boolean;
      }[];
    expect(await shown()).toMatchObject([{ second_factor: true }]);
    expect((await api.call('DELETE', pathOf(eve, '/second-factors'), { as: ada })).status).toBe(204);
    expect(await shown()).toMatchObject([{ second_factor: false, live_sessions: 0 }]);
    expect(await actsOn(eve)).toEqual([['account.factors_removed', ada.user.id]]);
  });

  it('cannot remove their own second factors without their password', async () => {
    const eve = await userWithPassword(api);
    await enrollApp(api, eve);
    await api.stores.users.grantOperator(eve.user.id);
    const refused = await api.call('DELETE', pathOf(eve, '/second-factors'), { as: eve });
    expect([refused.status, refused.body.code]).toEqual([409, 'own_account']);
    expect((await api.stores.secondFactors.list(eve.user.id)).length).toBe(1);
  });

  it('may do so with an API token, except for what would make an operator of its thief', async () => {
    const { text: by, id } = await tokenOf(ada);
    const call = (method: string, path: string, json?: unknown) => api.call(method, path, { by, json });
    expect((await call('GET', '/api/admin/users')).status).toBe(200);
    expect((await call('PATCH', pathOf(grace), { operator: true })).body.code).toBe('session_required');
    expect((await call('DELETE', pathOf(grace, '/second-factors'))).body.code).toBe('session_required');
    expect((await call('PATCH', pathOf(grace), { disabled: true })).status).toBe(200);
    const { items } = await api.stores.audit.listAll({ limit: 1, cursor: null }, { userId: grace.user.id });
    expect(items).toMatchObject([{ actor: { kind: 'operator', tokenId: id }, act: { detail: { by: ada.user.id } } }]);
    const shown = await api.call('GET', '/api/admin/audit?limit=1', { as: ada });
    expect(shown.body.items).toMatchObject([{ actor: 'operator', token_id: id, session_id: null }]);
    await patch(grace, { disabled: false });
    const own = await api.call('GET', '/api/audit?limit=3', { as: await api.otherSession(grace) });
    expect(own.text).toContain('account.disabled');
    expect(own.text).not.toContain(id);
  });
});

it('is refused to everybody else before it is said whether a user exists', async () => {
  for (const id of [ada.user.id, newId(), 'x']) {
    for (const [method, rest, json] of [
      ['GET', '', undefined],
      ['PATCH', '', { disabled: true }],
      ['GET', '/sessions', undefined],
      ['POST', '/end-sessions', undefined],
      ['GET', '/tokens', undefined],
      ['DELETE', `/tokens/${newId()}`, undefined],
      ['DELETE', '/second-factors', undefined],
    ] as const) {
      const path = `/api/admin/users/${id}${rest}`;
      const refused = await api.call(method, path, { as: grace, json });
      expect([refused.status, refused.body.code], path).toEqual([403, 'operator_required']);
      if (id === ada.user.id) continue;
      expect((await api.call(method, path, { as: ada, json })).body.code, path).toBe('user_not_found');
    }
  }
  expect((await api.call('GET', '/api/admin/users', { as: grace })).body.code).toBe('operator_required');
});

it('lists the repositories of all users to an operator, and says whose registrant is disabled', async () => {
  const repo = await api.repo(grace);
  await api.stores.users.disable(grace.user.id);
  const { body } = await api.call('GET', '/api/admin/repos', { as: ada });
  expect(body).toMatchObject({
    items: [{ id: repo.id, members: 1, registrant: { email: 'grace@example.com', disabled: true } }],
    next_cursor: null,
  });
  expect((await api.call('GET', '/api/admin/repos', { as: await api.login() })).body.code).toBe('operator_required');
});
