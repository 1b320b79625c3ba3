import { expect, it } from 'vitest';
import { scratchOrigin } from './people/scratch-origin.ts';
import { type CodeHostOptions, type FakeCodeHost, startCodeHost } from './start-code-host.ts';
import { gitIn } from './state/bare-repository.ts';

const REPO = 'ann/widget';

async function aHost(options: CodeHostOptions = {}): Promise<FakeCodeHost> {
  using origin = scratchOrigin();
  const host = await startCodeHost(options);
  for (const login of ['ann', 'bob', 'eve']) host.addUser({ login });
  await host.addRepo({ fullName: REPO, from: origin.path, private: true });
  host.setPermission(REPO, { login: 'bob', permission: 'read' });
  return host;
}

/** @param request method, path and body */
async function api(host: FakeCodeHost, token: string | null, request: string | readonly [string, unknown]) {
  const [line, body] = typeof request === 'string' ? [request, undefined] : request;
  const [method = '', path = ''] = line.split(' ');
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  const authorization: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  const headers = { 'content-type': 'application/json', ...authorization };
  const response = await fetch(`${host.apiUrl}${path}`, { method, headers, ...init });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

const draft = { title: 'A change', head: 'work', base: 'main', body: 'text' };

it('hides a private repository from other users, and rejects writes of readers', async () => {
  await using host = await aHost();
  const ask = async (token: string | null, request: string | readonly [string, unknown]) =>
    (await api(host, token, request)).status;
  expect(await ask(host.issueToken('ann'), `GET /repos/${REPO}`)).toBe(200);
  expect(await ask(host.issueToken('bob'), `GET /repos/${REPO}`)).toBe(200);
  expect(await ask(host.issueToken('eve'), `GET /repos/${REPO}`)).toBe(404);
  expect(await ask(host.issueToken('ann', []), `GET /repos/${REPO}`)).toBe(404);
  expect(await ask(null, `GET /repos/${REPO}`)).toBe(404);
  expect(await ask('gho_unknown', `GET /repos/${REPO}`)).toBe(401);
  expect(await ask(host.issueToken('bob'), [`POST /repos/${REPO}/pulls`, draft])).toBe(403);
  host.revokeTokens('ann');
  expect(await ask(host.secrets()[0] ?? '', 'GET /user')).toBe(401);
});

it('lists pull requests among the issues, pages by Link, and answers 304 without quota', async () => {
  await using host = await aHost();
  const token = host.issueToken('ann');
  for (const number of [7, 8, 9]) host.openIssue(REPO, { title: `#${number}`, by: 'eve', number });
  await host.push(REPO, { by: 'ann', branch: 'work', files: { 'a.txt': 'a\n' } });
  expect((await api(host, token, [`POST /repos/${REPO}/pulls`, draft])).body.number).toBe(10);
  const first = await api(host, token, `GET /repos/${REPO}/issues?per_page=3`);
  expect(first.body.map((issue: { number: number }) => issue.number)).toEqual([10, 9, 8]);
  expect(first.body[0].pull_request.url).toContain(`/repos/${REPO}/pulls/10`);
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  const second = await fetch(next, { headers: { authorization: `token ${token}` } });
  expect(await second.json()).toMatchObject([{ number: 7 }]);

  const etag = first.headers.get('etag') ?? '';
  const again = await fetch(`${host.apiUrl}/repos/${REPO}/issues?per_page=3`, {
    headers: { authorization: `token ${token}`, 'if-none-match': etag },
  });
  expect(again.status).toBe(304);
  expect(again.headers.get('x-ratelimit-used')).toBe(second.headers.get('x-ratelimit-used'));
});

it('opens one pull request of a branch, and only of one that is there and has commits of its own', async () => {
  await using host = await aHost();
  const token = host.issueToken('ann');
  const open = async () => await api(host, token, [`POST /repos/${REPO}/pulls`, draft]);
  expect((await open()).body.errors).toEqual([{ resource: 'PullRequest', field: 'head', code: 'invalid' }]);
  await host.git(REPO, 'branch', 'work', 'main');
  expect((await open()).body.errors[0].message).toBe('No commits between main and work');
  await host.push(REPO, { by: 'ann', branch: 'work', files: { 'a.txt': 'a\n' } });
  const answers = await Promise.all([open(), open(), open()]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422, 422]);
  const refused = answers.find(({ status }) => status === 422);
  expect(refused?.body.errors[0].message).toBe('A pull request already exists for ann:work.');
  expect(await host.pulls(REPO)).toMatchObject([{ number: 1, head: 'work', state: 'open', author: 'ann' }]);

  const byHead = await api(host, token, `GET /repos/${REPO}/pulls?head=ann:work&state=open`);
  expect(byHead.body).toMatchObject([{ number: 1 }]);
  await host.merge({ repo: REPO, number: 1, by: 'ann' });
  expect((await api(host, token, `GET /repos/${REPO}/pulls/1`)).body).toMatchObject({ state: 'closed', merged: true });
  expect(await host.git(REPO, 'show', 'main:a.txt')).toBe('a');
});

it('clones and takes pushes over HTTP by the token, and keeps workflows from one that may not change them', async () => {
  await using host = await aHost();
  using work = scratchOrigin();
  const remote = (token: string) => {
    const url = new URL(`${host.url}/${REPO}.git`);
    url.username = 'x-access-token';
    url.password = token;
    return url.href;
  };
  const push = (token: string, branch: string) =>
    gitIn(work.path, ['push', '-q', remote(token), `HEAD:refs/heads/${branch}`]);
  await gitIn(work.path, ['pull', '-q', '--rebase', remote(host.issueToken('bob')), 'main']);
  await expect(push(host.issueToken('bob'), 'mine')).rejects.toThrow(/403|denied/);
  await expect(push(host.issueToken('eve'), 'mine')).rejects.toThrow(/not found/i);
  await push(host.issueToken('ann'), 'mine');
  expect(await host.git(REPO, 'rev-parse', 'mine')).toBe(await gitIn(work.path, ['rev-parse', 'HEAD']));

  using ci = scratchOrigin();
  await gitIn(ci.path, ['pull', '-q', '--rebase', remote(host.issueToken('ann')), 'main']);
  await host.push(REPO, { by: 'ann', branch: 'ci', files: { '.github/workflows/ci.yml': 'on: push\n' } });
  await gitIn(ci.path, ['pull', '-q', remote(host.issueToken('ann')), 'ci']);
  await host.deleteBranch(REPO, 'ci');
  const pushCi = (token: string) => gitIn(ci.path, ['push', '-q', remote(token), 'HEAD:refs/heads/ci']);
  await expect(pushCi(host.issueToken('ann'))).rejects.toThrow(/refusing to allow an OAuth App/);
  await pushCi(host.issueToken('ann', ['repo', 'workflow']));
});

it('leads from an old name of a repository to the new one', async () => {
  await using host = await aHost();
  host.renameRepo(REPO, 'gadget');
  const found = await api(host, host.issueToken('ann'), `GET /repos/${REPO}/issues?state=all`);
  expect(found.status).toBe(200);
  expect(host.requests.map(({ status }) => status)).toEqual([301, 200]);
  using work = scratchOrigin();
  const url = new URL(`${host.url}/${REPO}.git`);
  url.username = 'x-access-token';
  url.password = host.issueToken('ann');
  expect(await gitIn(work.path, ['ls-remote', url.href, 'refs/heads/main'])).toContain('refs/heads/main');
  expect(host.requests.some(({ path, status }) => path === `/${REPO}/info/refs` && status === 301)).toBe(true);
});
