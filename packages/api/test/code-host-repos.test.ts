import { AppError } from '@sluice/core/error';
import type { RepoId } from '@sluice/core/id';
import { aNewRepo } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  aHostedRepo,
  linkAccount,
  type ScriptedCodeHost,
  scriptedCodeHost,
  TOKEN_CANARY,
} from './scripted-code-host.ts';
import { type Login, type RunningApi, scriptedRemotes, startApi } from './start-api.ts';

let api: RunningApi;
let there: ScriptedCodeHost;
let ada: Login;
/** The tokens that remotes were reached with. */
let reachedWith: (string | null)[];
beforeEach(async () => {
  there = scriptedCodeHost();
  reachedWith = [];
  api = await startApi({
    ports: { codehost: there.port },
    remotes: {
      inspect: (remote, signal) => {
        reachedWith.push(remote.token);
        return scriptedRemotes.inspect(remote, signal);
      },
    },
  });
  ada = await api.login();
  await linkAccount(api, ada);
});
afterEach(async () => {
  expect(JSON.stringify(api.logged)).not.toContain('canary');
  await api[Symbol.asyncDispose]();
});

const list = (query = '', as = ada) => api.call('GET', `/api/codehost/repos${query}`, { as });
const create = (json: unknown, as = ada) => api.call('POST', '/api/repos', { as, json });
const failing = (...errors: AppError[]) =>
  there.interfere(async () => {
    const error = errors[0];
    if (error !== undefined) throw error;
  });
/** Deadlines end twenty times sooner: in a second, so that on a busy machine the host has been asked by then. */
async function hurried<T>(work: () => Promise<T>): Promise<T> {
  const real = AbortSignal.timeout;
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => real.call(AbortSignal, ms / 20));
  try {
    return await work();
  } finally {
    spy.mockRestore();
  }
}

const failures = [
  { what: 'takes the token no longer', error: new AppError('codehost_relink_needed'), status: 409 },
  { what: 'cannot be reached', error: new AppError('codehost_unavailable'), status: 502 },
  { what: 'refuses the request', error: new AppError('codehost_refused'), status: 502 },
  { what: 'asks to be called later', error: new AppError('codehost_busy', { retryAfterMs: 61_000 }), status: 503 },
];

describe('GET /api/codehost/repos', () => {
  it('lists the repositories page by page, those of a name, and says which are registered', async () => {
    there.repos.push(...(['acme/anvil', 'acme/Rocket', 'acme/rock'] as const).map((name) => aHostedRepo(name)));
    const registered = await create({ codehost_repo: 'acme/rocket' });
    expect(registered.status).toBe(201);
    const first = await list('?per_page=2');
    expect([first.status, first.body.next_page]).toEqual([200, 2]);
    expect(first.body.items).toEqual([
      {
        id: 'id-acme/anvil',
        full_name: 'acme/anvil',
        private: true,
        description: null,
        default_branch: 'main',
        url: 'https://codehost.example.test/acme/anvil',
        pushed_at: '2026-11-20T09:15:00.000Z',
        registered_repo_id: null,
      },
      expect.objectContaining({ full_name: 'acme/Rocket', registered_repo_id: registered.body.id }),
    ]);
    expect((await list('?per_page=2&page=2')).body).toMatchObject({
      items: [{ full_name: 'acme/rock' }],
      next_page: null,
    });
    expect((await list('?q=ROCK')).body.items).toHaveLength(2);
    expect(there.asked.every(({ token }) => token === TOKEN_CANARY)).toBe(true);
    const eve = await api.login();
    await linkAccount(api, eve, 'another-canary');
    expect((await list('?q=Rocket', eve)).body).toMatchObject({ items: [{ registered_repo_id: null }] });
  });

  it('asks for a session, a linked account, and a code host', async () => {
    expect((await api.call('GET', '/api/codehost/repos')).status).toBe(401);
    const unlinked = await list('', await api.login());
    expect([unlinked.status, unlinked.body.code]).toEqual([409, 'codehost_not_linked']);
    await using none = await startApi();
    const answer = await none.call('GET', '/api/codehost/repos', { as: await none.login() });
    expect([answer.status, answer.body.code]).toEqual([409, 'codehost_not_configured']);
  });

  it.each(['page=0', 'page=x', 'per_page=101', 'per_page=0', 'sort=x', 'q=%00'])(
    'answers 400 to ?%s',
    async (query) => {
      expect((await list(`?${query}`)).status).toBe(400);
      expect(there.asked).toEqual([]);
    },
  );

  it('counts: the thirty-first within a minute is refused', async () => {
    for (let count = 0; count < 30; count += 1) expect((await list()).status).toBe(200);
    const refused = await list();
    expect([refused.status, refused.body.limit, refused.body.window_seconds]).toEqual([429, 30, 60]);
  });

  it.each(failures)('answers by what is the matter when the host $what', async ({ error, status }) => {
    failing(error);
    const answer = await list();
    expect([answer.status, answer.body.code]).toEqual([status, error.code]);
    if (status === 503) expect(answer.headers.get('retry-after')).toBe('61');
    expect(answer.text).not.toContain('canary');
  });

  it('does not ask a host again that has refused the token', async () => {
    failing(new AppError('codehost_relink_needed'));
    await list();
    there.interfere(null);
    const again = await list();
    expect([again.status, again.body.code]).toEqual([409, 'codehost_relink_needed']);
    expect(there.asked).toHaveLength(1);
  });

  it('gives up on a host that hangs, and stops asking', async () => {
    there.interfere(() => new Promise(() => undefined));
    const answer = await hurried(() => list());
    expect([answer.status, answer.body.code]).toEqual([502, 'codehost_unavailable']);
    expect(answer.body.detail).toContain('20 seconds');
    expect(there.asked[0]?.signal.aborted).toBe(true);
  });
});

describe('POST /api/repos with a repository of the code host', () => {
  it('registers it as the host spells it, reached by the account and with no token of its own', async () => {
    there.repos.push(aHostedRepo('Acme/Anvil', { defaultBranch: 'next' }));
    const answer = await create({ codehost_repo: 'acme/anvil', settings: { auto_run: true } });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      name: 'Acme/Anvil',
      url: 'https://codehost.example.test/Acme/Anvil',
      provider: 'codehost',
      codehost_repo_id: 'id-Acme/Anvil',
      default_branch: 'next',
    });
    expect(answer.headers.get('location')).toBe(`/api/repos/${answer.body.id}`);
    expect(reachedWith).toEqual([TOKEN_CANARY]);
    const kept = await api.stores.repos.get(answer.body.id as RepoId);
    expect(kept?.accessToken).toBeNull();
    expect(JSON.stringify([kept, answer.body])).not.toContain('canary');
  });

  it.each([
    ['url', 'codehost_repo'],
    ['codehost_repo', 'url'],
  ] as const)('is the same remote by its %s and then by its %s', async (...order) => {
    const hosted = aHostedRepo('acme/anvil');
    there.repos.push(hosted);
    const as = { url: { url: hosted.url }, codehost_repo: { codehost_repo: 'acme/anvil' } };
    const first = await create(as[order[0]]);
    const second = await create(as[order[1]]);
    expect([first.status, second.status]).toEqual([201, 409]);
    expect(second.body).toMatchObject({ code: 'repo_exists', repo_id: first.body.id });
  });

  it('answers 400 that says why for one that is not there, may not be used, or cannot be reached by git', async () => {
    const fault = (answer: Awaited<ReturnType<typeof create>>) => {
      expect([answer.status, answer.body.code, answer.body.errors]).toMatchObject([
        400,
        'repo_unreachable',
        [{ path: 'codehost_repo' }],
      ]);
      return answer.body.detail;
    };
    expect(fault(await create({ codehost_repo: 'acme/absent' }))).toBe(
      'The code host has no repository acme/absent, or your account cannot see it.',
    );
    there.repos.push(aHostedRepo('acme/broken', { url: 'https://codehost.example.test/acme/absent' }));
    expect(fault(await create({ codehost_repo: 'acme/broken' }))).toBe('The remote says: not found.');
    failing(new AppError('codehost_forbidden', { detail: 'The organisation asks for single sign-on.' }));
    expect(fault(await create({ codehost_repo: 'acme/broken' }))).toBe('The organisation asks for single sign-on.');
  });

  it.each([
    [{ codehost_repo: 'acme/anvil', access_token: 'x' }, 'access_token'],
    [{ codehost_repo: 'acme/..' }, 'codehost_repo'],
    [{ codehost_repo: './anvil' }, 'codehost_repo'],
    [{ codehost_repo: 'acme/anvil?x' }, 'codehost_repo'],
    [{ codehost_repo: 'acme/anvil', url: 'https://example.test/x/y' }, 'url'],
  ])('answers 400 to %j', async (json, path) => {
    const answer = await create(json);
    expect([answer.status, answer.body.errors]).toMatchObject([400, [{ path }]]);
    expect(there.asked).toEqual([]);
  });

  it.each(['group/sub/anvil', 'group/sub/sub/anvil', 'a/b/c.git'])(
    'refuses %j, a name in a nested group, and asks the host nothing',
    async (name) => {
      there.repos.push(aHostedRepo('sub/anvil'), aHostedRepo('b/c.git'));
      const answer = await create({ codehost_repo: name });
      expect([answer.status, answer.body]).toMatchObject([
        400,
        { code: 'repo_nested_group', errors: [{ path: 'codehost_repo' }], detail: expect.stringContaining(name) },
      ]);
      expect(there.asked).toEqual([]);
    },
  );

  it('refuses a repository that the host has in a nested group, and registers nothing', async () => {
    const url = 'https://codehost.example.test/group/acme/anvil';
    there.repos.push(aHostedRepo('acme/anvil', { url }));
    const answer = await create({ codehost_repo: 'acme/anvil' });
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { code: 'repo_nested_group', detail: expect.stringContaining(url) },
    ]);
    expect((await api.call('GET', '/api/repos', { as: ada })).body.items).toEqual([]);
  });

  it('takes a repository of a nested group by its URL, as any other remote', async () => {
    const answer = await create({ url: 'https://codehost.example.test/group/sub/anvil.git' });
    expect([answer.status, answer.body]).toMatchObject([201, { provider: 'git', codehost_repo_id: null }]);
    const issues = await api.call('GET', `/api/repos/${answer.body.id}/issues`, { as: ada });
    expect([issues.status, issues.body.code]).toEqual([409, 'repo_not_hosted']);
    expect(there.asked).toEqual([]);
  });

  it.each(failures)(
    'answers by what is the matter when the host $what, and registers nothing',
    async ({ error, status }) => {
      there.repos.push(aHostedRepo('acme/anvil'));
      failing(error);
      const answer = await create({ codehost_repo: 'acme/anvil' });
      expect([answer.status, answer.body.code]).toEqual([status, error.code]);
      expect((await api.call('GET', '/api/repos', { as: ada })).body.items).toEqual([]);
    },
  );

  it('asks for a linked account, and gives up on a host that hangs', async () => {
    const unlinked = await create({ codehost_repo: 'acme/anvil' }, await api.login());
    expect([unlinked.status, unlinked.body.code]).toEqual([409, 'codehost_not_linked']);
    there.interfere(() => new Promise(() => undefined));
    const hung = await hurried(() => create({ codehost_repo: 'acme/anvil' }));
    expect([hung.status, hung.body.code]).toEqual([502, 'codehost_unavailable']);
  });
});

describe('PATCH /api/repos/{id} of a repository of the code host', () => {
  it('tries a new default branch by the account, and takes no token', async () => {
    there.repos.push(aHostedRepo('acme/anvil'));
    const { id } = (await create({ codehost_repo: 'acme/anvil' })).body;
    const patch = (json: unknown) => api.call('PATCH', `/api/repos/${id}`, { as: ada, json });
    expect((await patch({ default_branch: 'next', access_token: null })).body.default_branch).toBe('next');
    expect(reachedWith).toEqual([TOKEN_CANARY, TOKEN_CANARY]);
    const refused = await patch({ access_token: 'mine' });
    expect([refused.status, refused.body.errors]).toMatchObject([400, [{ path: 'access_token' }]]);
    await api.stores.codehostLinks.refuseGrant(ada.user.id, 1);
    const [plain, tried] = [await patch({ name: 'Anvil' }), await patch({ default_branch: 'main' })];
    expect([plain.status, tried.status, tried.body.code]).toEqual([200, 409, 'codehost_relink_needed']);
  });
});

describe('a repository that was registered before, in a nested group', () => {
  const url = 'https://codehost.example.test/group/sub/anvil';

  it('is taken for no other repository, and stays as it is', async () => {
    there.repos.push(aHostedRepo('sub/anvil'));
    const hosted = { provider: 'codehost', codehostRepoId: 'id-sub/anvil', name: 'sub/anvil' } as const;
    const row = aNewRepo({ userId: ada.user.id, url, canonicalRemote: url, ...hosted });
    expect((await api.stores.repos.create(row)).kind).toBe('created');
    const before = await api.stores.repos.get(row.id);
    const path = `/api/repos/${row.id}`;
    for (const [method, at, json] of [
      ['GET', `${path}/issues`, undefined],
      ['PATCH', path, { default_branch: 'next' }],
      ['POST', '/api/issues', { repo_id: row.id, title: 'T', body: 'B', base_branch: 'next' }],
      ['POST', '/api/issues/import', { repo_id: row.id, number: 7 }],
    ] as const) {
      const answer = await api.call(method, at, { as: ada, json });
      expect([at, answer.status, answer.body]).toMatchObject([
        at,
        400,
        { code: 'repo_nested_group', detail: expect.stringContaining(url) },
      ]);
    }
    expect(there.asked).toEqual([]);
    expect(await api.stores.repos.get(row.id)).toEqual(before);
  });
});
