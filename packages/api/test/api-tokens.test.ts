import { once } from 'node:events';
import { connect } from 'node:net';
import type { TokenScope } from '@sluice/core/access';
import { MAX_API_TOKENS, renderApiToken } from '@sluice/core/api-token';
import type { IssueId, RepoId } from '@sluice/core/id';
import { aNewApiToken, aPlan, newId, settableClock } from '@sluice/testing';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AppRouter } from '../src/transport/trpc/app-router.ts';
import { openStream } from './feed/open-stream.ts';
import { type Login, type RunningApi, startApi } from './start-api.ts';

const DAY_MS = 86_400_000;
const clock = settableClock();
let api: RunningApi;
let ada: Login;
beforeAll(async () => {
  api = await startApi({ takesApiTokens: true, maxActivePipelines: 50, clock, sessionTtlMs: 1_000 * DAY_MS });
});
afterAll(() => api[Symbol.asyncDispose]());
beforeEach(async () => {
  ada = await api.login();
});

interface Made {
  readonly id: string;
  readonly token: string;
}

async function create(scope: TokenScope, repo_id: string | null = null, as = ada): Promise<Made> {
  const json = { name: 'CI', scope, repo_id, expires_in_days: 30 };
  const { status, body } = await api.call('POST', '/api/tokens', { as, json });
  expect(status).toBe(201);
  return { id: String(body.id), token: String(body.token) };
}

const me = (by: string, headers = {}) => api.call('GET', '/api/auth/me', { by, headers });

/** What goes over the wire for headers that `fetch` refuses to send. */
async function raw(...headers: string[]): Promise<string> {
  const socket = connect(api.port, '127.0.0.1');
  socket.end(['GET /api/auth/me HTTP/1.1', 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n'));
  let answer = '';
  socket.on('data', (piece) => {
    answer += piece;
  });
  await once(socket, 'close');
  return answer;
}

describe('a new API token', () => {
  it('is shown once, is listed without its secret, and is stored as a hash', async () => {
    const json = { name: 'CI of shop', scope: 'write', expires_in_days: 30 };
    const { status, body, headers } = await api.call('POST', '/api/tokens', { as: ada, json });
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
    const { token, ...rest } = body;
    expect(token).toMatch(/^slc_[0-9A-Za-z]{49}$/);
    const expires_at = new Date(clock.now().getTime() + 30 * DAY_MS).toISOString();
    expect(rest).toMatchObject({ name: 'CI of shop', scope: 'write', repo_id: null, expires_at, last_used_at: null });
    const list = await api.call('GET', '/api/tokens', { as: ada });
    expect(list.body.items).toEqual([rest]);
    expect(String(token).endsWith(String(rest.hint))).toBe(true);
    expect(JSON.stringify(await api.stores.apiTokens.find({ id: rest.id as never }))).not.toContain(token);
  });

  it.each([
    [{ expires_in_days: 366 }],
    [{ expires_in_days: 0 }],
    [{ expires_in_days: null }],
    [{ scope: 'root' }],
    [{ name: '' }],
    [{ name: 'two\nlines' }],
  ])('is refused with %j', async (wrong) => {
    const json = { name: 'CI', scope: 'read', expires_in_days: 1, ...wrong };
    expect((await api.call('POST', '/api/tokens', { as: ada, json })).body.code).toBe('validation_failed');
  });

  it('is limited to a repository that its owner may read', async () => {
    const grace = await api.login();
    const { id: repo_id } = await api.repo(grace);
    const json = { name: 'CI', scope: 'read', expires_in_days: 1 };
    const ask = async (repo_id: string) =>
      (await api.call('POST', '/api/tokens', { as: ada, json: { ...json, repo_id } })).body;
    expect(await ask(repo_id)).toMatchObject({ code: 'not_owner' });
    expect(await ask(newId())).toMatchObject({ code: 'repo_not_found' });
    expect(await ask((await api.repo(ada)).id)).toMatchObject({ repo_id: expect.any(String) });
  });

  it('is one too many beyond the most that one user may have', async () => {
    const expiresAt = new Date(clock.now().getTime() + DAY_MS);
    for (let made = 0; made < MAX_API_TOKENS; made += 1) {
      await api.stores.apiTokens.create(aNewApiToken({ userId: ada.user.id, expiresAt }));
    }
    const json = { name: 'CI', scope: 'read', expires_in_days: 1 };
    expect(await api.call('POST', '/api/tokens', { as: ada, json })).toMatchObject({
      status: 409,
      body: { code: 'api_tokens_full' },
    });
  });
});

describe('a request by an API token', () => {
  it('needs no cookie, gets none, and is not checked for its origin', async () => {
    const { token } = await create('write');
    const { id: repo_id } = await api.repo(ada);
    const json = { repo_id, title: 'Sum', body: '' };
    const headers = { origin: 'https://elsewhere.example' };
    const made = await api.call('POST', '/api/issues', { by: token, json, headers });
    expect([made.status, made.headers.get('set-cookie')]).toEqual([201, null]);
    const [entry] = (await api.stores.audit.list(ada.user.id, { limit: 1, cursor: null })).items;
    expect(entry).toMatchObject({ actor: { kind: 'user', sessionId: null, tokenId: expect.any(String) } });
    const withCookie = await api.call('POST', '/api/issues', { as: ada, json, headers });
    expect(withCookie.body.code).toBe('origin_refused');
  });

  it('is refused alike whether the token is malformed, unknown or revoked, or its owner is disabled', async () => {
    const revoked = await create('admin');
    await api.call('DELETE', `/api/tokens/${revoked.id}`, { as: ada });
    const grace = await api.login();
    const disabled = await create('admin', null, grace);
    await api.stores.users.disable(grace.user.id);
    const answers = [];
    for (const token of ['slc_', 'slc_x', renderApiToken(new Uint8Array(32)), revoked.token, disabled.token]) {
      const { status, body } = await me(token);
      answers.push({ status, body: { ...body, request_id: null } });
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 401, body: { code: 'token_invalid' } });
  });

  it('says that the token has expired, to who has all of it', async () => {
    const { token } = await create('read');
    const before = clock.now().getTime();
    expect((await me(token)).status).toBe(200);
    clock.advance(30 * DAY_MS - 1);
    expect((await me(token)).status).toBe(200);
    clock.advance(1);
    expect((await me(token)).body.code).toBe('token_expired');
    expect((await me(`${token.slice(0, -1)}_`)).body.code).toBe('token_invalid');
    clock.advance(before - clock.now().getTime());
  });

  it('is refused with two credentials, whatever they are worth', async () => {
    const { token } = await create('read');
    for (const headers of [{ cookie: ada.cookie }, { cookie: 'access_token=x' }]) {
      expect(await me(token, headers)).toMatchObject({ status: 400, body: { code: 'credentials_ambiguous' } });
      expect((await me('slc_x', headers)).body.code).toBe('credentials_ambiguous');
    }
    expect((await me(token, { cookie: 'theme=dark' })).status).toBe(200);
    const twice = await raw(`Authorization: Bearer ${token}`, `Authorization: Bearer ${token}`);
    expect(twice).toMatch(/^HTTP\/1.1 400 [\s\S]*credentials_ambiguous/);
    const hidden = await raw('Authorization: Basic eDp5', `Authorization: Bearer ${token}`);
    expect(hidden).toMatch(/^HTTP\/1.1 400 /);
  });

  it.each([
    ['any case of the scheme', (token: string) => `bEARER ${token}`, 200],
    ['another case of the prefix', (token: string) => `Bearer ${token.replace('slc_', 'SLC_')}`, 401],
    ['no scheme', (token: string) => token, 401],
    ['another scheme', (token: string) => `Token ${token}`, 401],
    ['something behind it', (token: string) => `Bearer ${token} x`, 401],
    ['a list of two', (token: string) => `Bearer ${token}, Bearer ${token}`, 401],
    ['a space in it', (token: string) => `Bearer ${token.slice(0, 9)} ${token.slice(9)}`, 401],
  ])('reads a header with %s', async (_, headerOf, status) => {
    const { token } = await create('read');
    const answer = await api.call('GET', '/api/auth/me', { headers: { authorization: headerOf(token) } });
    expect(answer.status).toBe(status);
  });

  it('is no request by a token where the header is folded, has a NUL or is longer than a header may be', async () => {
    const { token } = await create('read');
    expect(await raw('Authorization: Bearer', ` ${token}`)).not.toMatch(/^HTTP\/1.1 200/);
    expect(await raw(`Authorization: Bearer ${token}\0`)).toMatch(/^HTTP\/1.1 400/);
    expect(await raw(`Authorization: Bearer slc_${'x'.repeat(10_000)}`)).toMatch(/^HTTP\/1.1 401/);
    expect(await raw(`Authorization: Bearer slc_${'x'.repeat(100_000)}`)).toMatch(/^HTTP\/1.1 431/);
  });

  it('never finds the token in the query, and no session in the header', async () => {
    const { token } = await create('admin');
    for (const path of [`/api/issues?token=${token}`, `/api/issues?access_token=${token}`]) {
      expect((await api.call('GET', path)).body.code).toBe('session_missing');
    }
    expect((await me(ada.cookie.replace('access_token=', ''))).body.code).toBe('session_missing');
  });

  it('begins no session', async () => {
    const { token } = await create('admin');
    for (const path of ['/api/auth/login', '/api/auth/register']) {
      const json = { email: 'grace@example.com', password: 'correct horse battery' };
      const { status, body, headers } = await api.call('POST', path, { by: token, json });
      expect([status, body.code, headers.get('set-cookie')]).toEqual([400, 'credentials_ambiguous', null]);
    }
  });

  it('records its use and its program, and that once a minute', async () => {
    const { id, token } = await create('read');
    const used = async () => (await api.stores.apiTokens.find({ id: id as never }))?.token;
    const at = clock.now();
    await me(token, { 'user-agent': 'curl/8.5.0' });
    expect(await used()).toMatchObject({ lastUsedAt: at, lastClient: 'curl' });
    clock.advance(59_999);
    await me(token, { 'user-agent': 'other/1' });
    expect(await used()).toMatchObject({ lastUsedAt: at, lastClient: 'curl' });
    clock.advance(2);
    await me(token, { 'user-agent': 'other/1' });
    expect(await used()).toMatchObject({ lastUsedAt: clock.now(), lastClient: 'other' });
  });

  it('leaves no trace of the token in the log', async () => {
    const { token } = await create('read');
    await me(token);
    await me(`${token}x`);
    await api.call('GET', `/api/issues?token=${token}`, { by: token });
    await api.call('GET', '/api/no-such-path', { by: token });
    expect(JSON.stringify(api.logged)).not.toContain(token.slice(4, 20));
  });
});

describe('the scope of an API token', () => {
  it('bounds the role of its owner, and the role of its owner bounds the token', async () => {
    const { id: repo } = await api.repo(ada);
    const grace = await api.login();
    const role = (role: 'viewer' | 'approver') =>
      api.stores.members.put({ repoId: repo as RepoId, userId: grace.user.id, role, origin: 'added' });
    await role('approver');
    const issue = await api.issue(ada, { repo_id: repo });
    await api.toGate(issue.id, aPlan());
    const decide = async (by: string) => {
      const json = { action: 'approve', revision: 1 };
      return (await api.call('POST', `/api/issues/${issue.id}/approve`, { by, json })).body;
    };
    const [write, approve] = [await create('write', null, grace), await create('approve', null, grace)];
    expect(await decide(write.token)).toMatchObject({ code: 'token_scope_insufficient', needed_scope: 'approve' });
    await role('viewer');
    expect(await decide(approve.token)).toMatchObject({ code: 'role_insufficient', needed_role: 'approver' });
    await role('approver');
    expect(await decide(approve.token)).toMatchObject({ id: issue.id });
    const others = await api.issue(ada);
    expect((await api.call('DELETE', `/api/issues/${others.id}`, { by: approve.token })).body.code).toBe('not_owner');
  });

  it('says which scope an act on the issue of another member needs', async () => {
    const { id: repo } = await api.repo(ada);
    const grace = await api.login();
    await api.stores.members.put({ repoId: repo as RepoId, userId: grace.user.id, role: 'admin', origin: 'added' });
    const issue = await api.issue(ada, { repo_id: repo });
    const { token } = await create('write', null, grace);
    const { status, body } = await api.call('DELETE', `/api/issues/${issue.id}`, { by: token });
    expect([status, body]).toMatchObject([
      403,
      { code: 'token_scope_insufficient', scope: 'write', needed_scope: 'approve' },
    ]);
  });

  it('never reaches the account itself', async () => {
    const { token, id } = await create('admin');
    const asks: [string, string][] = [
      ['PATCH', '/api/auth/me'],
      ['POST', '/api/auth/logout'],
      ['GET', '/api/auth/sessions'],
      ['POST', '/api/tokens'],
      ['GET', '/api/tokens'],
      ['DELETE', `/api/tokens/${id}`],
      ['GET', '/api/notifications/targets'],
    ];
    for (const [method, path] of asks) {
      const { status, body } = await api.call(method, path, { by: token, ...(method === 'GET' ? {} : { json: {} }) });
      expect([status, body.code], `${method} ${path}`).toEqual([403, 'session_required']);
    }
  });

  it('reaches the server only for an operator, with a token of all repositories', async () => {
    await api.stores.users.grantOperator(ada.user.id);
    const overview = async (by: string) => (await api.call('GET', '/api/admin/overview', { by })).body.code ?? 'shown';
    const repo = (await api.repo(ada)).id;
    expect(await overview((await create('approve')).token)).toBe('token_scope_insufficient');
    expect(await overview((await create('admin', repo)).token)).toBe('token_scope_insufficient');
    expect(await overview((await create('admin')).token)).toBe('shown');
    expect(await overview((await create('admin', null, await api.login())).token)).toBe('operator_required');
  });
});

describe('an API token of one repository', () => {
  it('sees that one alone, in lists, counts and streams', async () => {
    const [mine, other] = [await api.repo(ada), await api.repo(ada)];
    const [inMine, inOther] = [await api.issue(ada, { repo_id: mine.id }), await api.issue(ada, { repo_id: other.id })];
    const { token } = await create('admin', mine.id);
    const get = async (path: string) => (await api.call('GET', path, { by: token })).body;
    expect((await get('/api/repos')).items).toMatchObject([{ id: mine.id }]);
    expect(await get('/api/issues?total=true')).toMatchObject({ items: [{ id: inMine.id }], total: 1 });
    expect(await get('/api/issues?scope=mine&total=true')).toMatchObject({ total: 1 });
    expect((await get(`/api/issues?repo_id=${other.id}`)).items).toEqual([]);
    for (const path of ['/api/inbox', '/api/outcomes', '/api/outcomes?group_by=repo', '/api/audit', '/api/issues']) {
      const text = JSON.stringify(await get(path));
      expect(text, path).not.toContain(other.id);
      expect(text, path).not.toContain(inOther.id);
    }
    for (const path of [`/api/repos/${other.id}`, `/api/issues/${inOther.id}`, `/api/audit?repo_id=${other.id}`]) {
      expect(await get(path), path).toMatchObject({ code: 'not_owner' });
    }
    const json = { url: 'https://example.test/acme/new' };
    expect((await api.call('POST', '/api/repos', { by: token, json })).body.code).toBe('token_scope_insufficient');
  });

  it('gets no answer that was stored for a token that sees more', async () => {
    const [mine, other] = [await api.repo(ada), await api.repo(ada)];
    const narrow = await create('write', mine.id);
    const wide = await create('write');
    const json = { repo_id: other.id, title: 'Sum', body: '' };
    const ask = (by: string) => api.call('POST', '/api/issues', { by, json, headers: { 'idempotency-key': 'one' } });
    const made = await ask(wide.token);
    expect(made.status).toBe(201);
    expect((await ask(wide.token)).body).toEqual(made.body);
    expect((await ask(narrow.token)).body).toMatchObject({ code: 'not_owner' });
  });

  it('is shown to admins of the repository, who may revoke it, and to no other', async () => {
    const { id: repo } = await api.repo(ada);
    const [grace, viewer] = [await api.login(), await api.login()];
    for (const [{ user }, role] of [
      [grace, 'contributor'],
      [viewer, 'viewer'],
    ] as const) {
      await api.stores.members.put({ repoId: repo as RepoId, userId: user.id, role, origin: 'added' });
    }
    const theirs = await create('write', repo, grace);
    await create('write', null, grace);
    const path = `/api/repos/${repo}/tokens`;
    const { body } = await api.call('GET', path, { as: ada });
    expect(body.items).toMatchObject([{ id: theirs.id, user_id: grace.user.id, user_name: grace.user.name }]);
    expect((await api.call('GET', path, { as: viewer })).body.code).toBe('role_insufficient');
    const revoke = (as: Login, path: string) => api.call('DELETE', path, { as });
    expect((await revoke(viewer, `${path}/${theirs.id}`)).body.code).toBe('role_insufficient');
    expect((await revoke(ada, `/api/tokens/${theirs.id}`)).body.code).toBe('not_owner');
    const elsewhere = await create('read');
    expect((await revoke(ada, `${path}/${elsewhere.id}`)).body.code).toBe('api_token_not_found');
    expect((await revoke(ada, `${path}/${theirs.id}`)).status).toBe(204);
    expect((await revoke(ada, `${path}/${theirs.id}`)).body.code).toBe('api_token_not_found');
    expect((await me(theirs.token)).body.code).toBe('token_invalid');
    const audit = await api.call('GET', `/api/audit?repo_id=${repo}`, { as: ada });
    expect((audit.body.items as { action: string }[]).map(({ action }) => action).slice(0, 2)).toEqual([
      'token.revoked',
      'token.created',
    ]);
  });
});

describe('a revoked API token', () => {
  it('writes nothing, although its request was under way', async () => {
    const issue = await api.issue(ada);
    await api.toGate(issue.id, aPlan());
    const { id, token } = await create('approve');
    const { apply } = api.deps.issues;
    api.deps.issues.apply = async (change) => {
      api.deps.issues.apply = apply;
      await api.stores.apiTokens.revoke(id as never);
      return await apply(change);
    };
    const json = { action: 'approve', revision: 1 };
    const { status, body } = await api.call('POST', `/api/issues/${issue.id}/approve`, { by: token, json });
    expect([status, body.code]).toEqual([401, 'token_invalid']);
    expect((await api.stores.issues.get(issue.id as IssueId))?.status).toBe('awaiting_approval');
  });

  it('loses its streams at once, over REST and over tRPC', async () => {
    const issue = await api.issue(ada);
    const { id, token } = await create('read');
    const streams = await Promise.all(
      ['/api/events', `/api/issues/${issue.id}/events`, '/api/trpc/events.watch'].map((path) =>
        openStream(`${api.url}${path}`, { authorization: `Bearer ${token}` }),
      ),
    );
    await api.call('DELETE', `/api/tokens/${id}`, { as: ada });
    for (const stream of streams) await stream.ended;
  });
});

it('serves tRPC and counts each call of a batch against the limit of the token', async () => {
  const { token } = await create('read');
  const headers = { authorization: `Bearer ${token}` };
  const client = createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: `${api.url}/api/trpc`, headers })] });
  expect(await Promise.all([client.auth.me.query(), client.issues.list.query()])).toMatchObject([
    { id: ada.user.id },
    { items: [] },
  ]);
  await expect(client.auth.sessions.list.query()).rejects.toMatchObject({
    data: { error: { code: 'session_required' } },
  });
  const limit = api.deps.limiter.limits.api_token?.points ?? 0;
  const { id } = await create('read');
  for (let sent = 0; sent < limit; sent += 1) await api.deps.limiter.consume('api_token', id);
  expect((await api.deps.limiter.consume('api_token', id)).allowed).toBe(false);
});

describe('a server without API tokens', () => {
  it('creates none and reads no header, with a cookie or without', async () => {
    await using off = await startApi();
    const grace = await off.login();
    const json = { name: 'CI', scope: 'read', expires_in_days: 1 };
    expect(await off.call('POST', '/api/tokens', { as: grace, json })).toMatchObject({
      status: 409,
      body: { code: 'api_tokens_off' },
    });
    const by = renderApiToken(new Uint8Array(32));
    expect((await off.call('GET', '/api/auth/me', { by })).body.code).toBe('session_missing');
    expect((await off.call('GET', '/api/auth/me', { by, as: grace })).status).toBe(200);
    const { body } = await off.call('GET', '/api/server', { as: grace });
    expect(body.details).toMatchObject({ api_tokens: false });
    expect(JSON.stringify((body.details as { limits: object }).limits)).not.toContain('api_token');
  });
});
