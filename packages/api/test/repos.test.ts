import type { RepoId } from '@sluice/core/id';
import { eventually, newId } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Login, type RunningApi, scriptedRemotes, startApi } from './start-api.ts';

let api: RunningApi;
let ada: Login;
let eve: Login;
beforeEach(async () => {
  api = await startApi();
  ada = await api.login();
  eve = await api.login();
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
});

const url = 'https://example.test/acme/anvil';
const create = (json: unknown, as = ada) => api.call('POST', '/api/repos', { as, json });
const patch = (id: string, json: unknown, as = ada) => api.call('PATCH', `/api/repos/${id}`, { as, json });

describe('POST /api/repos', () => {
  it('answers 201 with the repository, its defaults and its place', async () => {
    const answer = await create({ url, test_command: 'npm test' });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      name: 'acme/anvil',
      url,
      default_branch: 'main',
      provider: 'git',
      codehost_repo_id: null,
      setup_command: null,
      test_command: 'npm test',
      instructions: null,
      settings: {
        draft_change_request: true,
        allow_red_base: false,
        setup_network: false,
        test_before_gate: true,
        label_trigger: null,
        auto_run: false,
        follow_build: 'watch',
        follow_base: 'watch',
        review_bots: [],
      },
      active_issue_id: null,
      index: null,
    });
    expect(answer.headers.get('location')).toBe(`/api/repos/${answer.body.id}`);
    expect((await api.call('GET', `/api/repos/${answer.body.id}`, { as: ada })).body).toEqual(answer.body);
  });

  it('encrypts a token and never returns it', async () => {
    const answer = await create({ url, access_token: 'hunter2-token' });
    expect(answer.status).toBe(201);
    expect(answer.text).not.toMatch(/token|hunter2/);
    const kept = await api.stores.repos.get(answer.body.id as RepoId);
    expect(kept?.accessToken).toEqual({ encrypted: expect.stringMatching(/^k1:/), nonce: expect.any(String) });
    expect(JSON.stringify(api.logged)).not.toContain('hunter2');
  });

  it('answers 409 for the same repository again, and names it', async () => {
    const first = await create({ url });
    const again = await create({ url });
    expect([again.status, again.body.code, again.body.repo_id]).toEqual([409, 'repo_exists', first.body.id]);
    expect((await create({ url }, eve)).status).toBe(201);
  });

  it('answers 409 for a repository at the code host while none is configured', async () => {
    const answer = await create({ codehost_repo: 'acme/anvil' });
    expect([answer.status, answer.body.code]).toEqual([409, 'codehost_not_configured']);
  });

  it.each([
    [{}, 'url', 'validation_failed'],
    [{ url, codehost_repo: 'acme/anvil' }, 'url', 'validation_failed'],
    [{ codehost_repo: 'anvil' }, 'codehost_repo', 'validation_failed'],
    [{ url: 7 }, 'url', 'validation_failed'],
    [{ url, settings: { auto_run: 'false' } }, 'settings.auto_run', 'validation_failed'],
    [{ url, settings: { auto_rum: false } }, 'settings.auto_rum', 'validation_failed'],
    [{ url, test_command: '' }, 'test_command', 'validation_failed'],
    [{ url, accesstoken: 'x' }, 'accesstoken', 'validation_failed'],
    [{ url, default_branch: 'absent' }, 'default_branch', 'base_branch_missing'],
  ])('answers 400 for %j', async (json, path, code) => {
    const answer = await create(json);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(answer.body.errors).toMatchObject([{ path }]);
  });

  it('answers 400 that says why for a remote that cannot or may not be reached', async () => {
    const absent = await create({ url: 'https://example.test/absent' });
    expect([absent.status, absent.body.code, absent.body.detail]).toEqual([
      400,
      'repo_unreachable',
      'The remote says: not found.',
    ]);
    expect((await create({ url: 'https://127.0.0.1/x/y' })).body.code).toBe('remote_refused');
  });

  it('gives up on a remote that hangs, and calls it unreachable', async () => {
    const real = AbortSignal.timeout;
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => real.call(AbortSignal, ms / 20));
    try {
      const answer = await create({ url: 'https://example.test/hang' });
      expect([answer.status, answer.body.code]).toEqual([400, 'repo_unreachable']);
      expect(answer.body.detail).toContain('15 seconds');
      expect(timeout).toHaveBeenCalledWith(15_000);
    } finally {
      timeout.mockRestore();
    }
  });

  it('stops looking at a remote when the client goes away', async () => {
    const seen = Promise.withResolvers<AbortSignal>();
    await using watched = await startApi({
      remotes: {
        inspect: (remote, signal) => {
          seen.resolve(signal);
          return scriptedRemotes.inspect(remote, signal);
        },
      },
    });
    const login = await watched.login();
    const leaving = new AbortController();
    const request = fetch(`${watched.url}/api/repos`, {
      method: 'POST',
      headers: { cookie: login.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'https://example.test/hang' }),
      signal: leaving.signal,
    });
    const signal = await seen.promise;
    leaving.abort();
    await expect(request).rejects.toThrow();
    await eventually(() => expect(signal.aborted).toBe(true));
    expect(watched.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('the other routes of a repository', () => {
  it.each([
    ['GET', undefined],
    ['PATCH', { name: 'x' }],
    ['DELETE', undefined],
  ])('%s: 401 without a session, 404 for what is not there, 403 for another user', async (method, json) => {
    const repo = await api.repo(ada);
    const call = (id: string, as?: Login) => api.call(method, `/api/repos/${id}`, { as, json });
    expect((await call(repo.id)).status).toBe(401);
    for (const id of [newId(), 'no-uuid', repo.id.toUpperCase()]) {
      const absent = await call(id, ada);
      expect([absent.status, absent.body.code]).toEqual([404, 'repo_not_found']);
    }
    const foreign = await call(repo.id, eve);
    expect([foreign.status, foreign.body.code]).toEqual([403, 'not_owner']);
  });

  it('lists the user’s own, newest first, page by page', async () => {
    const created: string[] = [];
    for (let count = 0; count < 3; count += 1) created.unshift((await api.repo(ada)).id);
    await api.repo(eve);
    const first = await api.call('GET', '/api/repos?limit=2', { as: ada });
    const second = await api.call('GET', `/api/repos?limit=2&cursor=${first.body.next_cursor}`, { as: ada });
    const ids = [first, second].flatMap(({ body }) => (body.items as { id: string }[]).map(({ id }) => id));
    expect(ids).toEqual(created);
    expect(second.body.next_cursor).toBeNull();
    expect((await api.call('GET', '/api/repos')).status).toBe(401);
    expect((await api.call('GET', '/api/repos?cursor=mangled', { as: ada })).status).toBe(400);
  });

  it('keeps at most ten templates for new issues, each with a name of its own', async () => {
    const repo = await api.repo(ada);
    expect(repo.settings).toMatchObject({ issue_templates: [] });
    const template = { name: 'Bug', title: 'Bug: ', body: '## What happens' };
    const set = (issue_templates: unknown) => patch(repo.id, { settings: { issue_templates } });
    const numbered = (count: number) => Array.from({ length: count }, (_, at) => ({ ...template, name: `${at}` }));
    for (const wrong of [
      numbered(11),
      [template, template],
      [{ ...template, name: '' }],
      [{ ...template, body: 'x'.repeat(8_193) }],
      [{ ...template, labels: [] }],
      null,
    ])
      expect((await set(wrong)).status, JSON.stringify(wrong).slice(0, 99)).toBe(400);
    const kept = await set([{ ...template, body: 'x'.repeat(8_192) }, ...numbered(9)]);
    expect([kept.status, kept.body.settings]).toMatchObject([200, { issue_templates: { length: 10 } }]);
    const other = await patch(repo.id, { settings: { auto_run: true } });
    expect(other.body.settings).toMatchObject({ auto_run: true, issue_templates: { length: 10 } });
    expect((await set([])).body.settings).toMatchObject({ issue_templates: [] });
  });

  it('changes what is named and leaves the rest, also within the settings', async () => {
    const repo = await api.repo(ada, { test_command: 'make', settings: { auto_run: true, label_trigger: 'go' } });
    const answer = await patch(repo.id, { name: 'Anvil', test_command: null, settings: { allow_red_base: true } });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...repo,
      name: 'Anvil',
      test_command: null,
      settings: { ...(repo.settings as object), allow_red_base: true },
      updated_at: expect.any(String),
    });
    expect((await patch(repo.id, { settings: { label_trigger: null } })).body.settings).toMatchObject({
      auto_run: true,
      allow_red_base: true,
      label_trigger: null,
    });
  });

  it('refuses a bot that is named twice and a choice that there is not', async () => {
    const repo = await api.repo(ada);
    const twice = await patch(repo.id, { settings: { review_bots: ['lint[bot]', 'Lint[bot]'] } });
    expect([twice.status, twice.body.errors]).toEqual([
      400,
      [{ path: 'settings.review_bots', message: 'must name each bot once' }],
    ]);
    expect((await patch(repo.id, { settings: { follow_base: 'fix' } })).status).toBe(400);
  });

  it('tries a new default branch before it keeps it', async () => {
    const repo = await api.repo(ada);
    expect((await patch(repo.id, { default_branch: 'next' })).body.default_branch).toBe('next');
    const absent = await patch(repo.id, { default_branch: 'absent' });
    expect([absent.status, absent.body.code]).toEqual([400, 'base_branch_missing']);
    expect((await api.call('GET', `/api/repos/${repo.id}`, { as: ada })).body.default_branch).toBe('next');
  });

  it('keeps the settings that another admin changes while it tries a branch', async () => {
    const trying = Promise.withResolvers<void>();
    const other = Promise.withResolvers<void>();
    let isSlow = false;
    await using slow = await startApi({
      remotes: {
        inspect: async (remote, signal) => {
          if (isSlow) {
            trying.resolve();
            await other.promise;
          }
          return await scriptedRemotes.inspect(remote, signal);
        },
      },
    });
    const grace = await slow.login();
    const { id } = await slow.repo(grace);
    isSlow = true;
    const change = (json: unknown) => slow.call('PATCH', `/api/repos/${id}`, { as: grace, json });
    const first = change({ default_branch: 'next', settings: { plan_approvals: 2 } });
    await trying.promise;
    await change({ settings: { requester_approves: false } });
    other.resolve();
    expect((await first).body).toMatchObject({
      default_branch: 'next',
      settings: { plan_approvals: 2, requester_approves: false },
    });
  });

  it('encrypts a new token and removes it on null', async () => {
    const repo = await api.repo(ada);
    const token = async () => (await api.stores.repos.get(repo.id as RepoId))?.accessToken;
    expect((await patch(repo.id, { access_token: 'one' })).text).not.toContain('access_token');
    expect(await token()).not.toBeNull();
    await patch(repo.id, { name: 'Anvil' });
    expect(await token()).not.toBeNull();
    await patch(repo.id, { access_token: null });
    expect(await token()).toBeNull();
  });

  it.each([
    { url },
    { settings: { auto_run: 'false' } },
    { settings: { auto_run: null } },
    { name: '' },
    { id: newId() },
  ])('answers 400 to a change of %j', async (json) => {
    const repo = await api.repo(ada);
    expect((await patch(repo.id, json)).status).toBe(400);
  });

  it('is removed with 204, and not while an issue is active on it', async () => {
    const issue = await api.issue(ada);
    const remove = () => api.call('DELETE', `/api/repos/${issue.repo_id}`, { as: ada });
    const busy = await remove();
    expect([busy.status, busy.body.code, busy.body.active_issue_id]).toEqual([409, 'repo_has_active_issue', issue.id]);
    expect((await api.call('GET', `/api/repos/${issue.repo_id}`, { as: ada })).body.active_issue_id).toBe(issue.id);
    await api.call('DELETE', `/api/issues/${issue.id}`, { as: ada });
    const removed = await remove();
    expect([removed.status, removed.text]).toEqual([204, '']);
    expect((await remove()).status).toBe(404);
    expect((await api.call('GET', `/api/issues/${issue.id}`, { as: ada })).status).toBe(404);
  });
});
