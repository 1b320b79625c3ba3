import { newId } from '@sluice/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Login, type RunningApi, startApi } from './start-api.ts';

let api: RunningApi;
let ada: Login;
beforeAll(async () => {
  api = await startApi({ trustProxy: ['loopback'], maxActivePipelines: 1_000 });
  ada = await api.login();
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
});

let addresses = 0;
/** A client with its own address, so that it stays clear of the sign-in limits. */
const elsewhere = () => {
  addresses += 1;
  return { 'x-forwarded-for': `2001:db8:${addresses.toString(16)}::1` };
};
const sendRaw = (path: string, raw: string, as = ada) =>
  api.call('POST', path, { as, raw, headers: { 'content-type': 'application/json', ...elsewhere() } });
const isOurs = ({ status, body }: Answer) => {
  expect(status).toBeLessThan(500);
  if (status >= 400) expect(body).toMatchObject({ detail: expect.any(String), code: expect.any(String) });
};
const noFaults = () => expect(api.logged.filter(({ level }) => level === 'error')).toEqual([]);

describe('hostile JSON', () => {
  it('refuses __proto__, constructor and prototype wherever they are members, and pollutes nothing', async () => {
    const user = await api.login();
    const repo = await api.repo(user);
    const attempts = [
      ['/api/issues', `{"repo_id":"${repo.id}","title":"A","body":"","__proto__":{"polluted":1}}`],
      ['/api/issues', `{"__proto__":{"repo_id":"${repo.id}","title":"A","body":""}}`],
      ['/api/issues', `{"repo_id":"${repo.id}","title":"A","body":"","constructor":{"prototype":{"polluted":1}}}`],
      ['/api/repos', '{"url":"https://example.test/a/b","settings":{"__proto__":{"auto_run":true}}}'],
      ['/api/repos', '{"url":"https://example.test/a/b","settings":{"constructor":1}}'],
    ] as const;
    for (const [path, raw] of attempts) expect((await sendRaw(path, raw, user)).status, raw).toBe(400);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    noFaults();
  });

  it('refuses __proto__ over tRPC as well', async () => {
    const user = await api.login();
    const repo = await api.repo(user);
    const raw = `{"repo_id":"${repo.id}","title":"A","body":"","__proto__":{"labels":["x"]}}`;
    const answer = await sendRaw('/api/trpc/issues.create', raw, user);
    expect([200, 400]).toContain(answer.status);
    if (answer.status === 200) expect(answer.text).toContain('"labels":[]');
    expect(Object.hasOwn(Object.prototype, 'labels')).toBe(false);
  });

  it('survives nesting as deep as a body allows, on both transports', async () => {
    for (const depth of [33, 5_000, 250_000]) {
      for (const raw of [
        `{"email":${'['.repeat(depth)}${']'.repeat(depth)},"password":"x"}`,
        `${'{"a":'.repeat(Math.min(depth, 150_000))}1${'}'.repeat(Math.min(depth, 150_000))}`,
      ]) {
        for (const path of ['/api/auth/login', '/api/trpc/auth.login']) {
          expect((await sendRaw(path, raw)).status, `${path} ${depth}`).toBe(400);
        }
      }
    }
    noFaults();
  });

  it('refuses more than a thousand members before they are parsed, on both transports, and counts the request', async () => {
    const members = (count: number) => Array.from({ length: count }, (_, at) => `"${at.toString(16)}":1`).join(',');
    const address = elsewhere();
    const send = (path: string, raw: string) =>
      api.call('POST', path, { raw, headers: { 'content-type': 'application/json', ...address } });
    const attempts = [
      ['/api/auth/login', `{${members(100_000)}}`],
      ['/api/trpc/auth.login', `{${members(100_000)}}`],
      // Each call is within the limit, the body of the batch is not.
      ['/api/trpc/auth.login,auth.login?batch=1', `{"0":{${members(600)}},"1":{${members(600)}}}`],
      ['/api/auth/login', `{"email":[${'1,'.repeat(1_000)}1]}`],
    ] as const;
    for (const [path, raw] of attempts) {
      const answer = await send(path, raw);
      expect([answer.status, answer.text], path).toEqual([400, expect.stringContaining('more than 1000 members')]);
    }
    expect((await send('/api/auth/login', '{}')).status).toBe(429);
    noFaults();
  });

  it('takes the last of two members of one name, as every JSON parser does', async () => {
    const user = await api.login();
    const repo = await api.repo(user);
    const answer = await sendRaw(
      '/api/issues',
      `{"title":"first","repo_id":"${repo.id}","body":"","title":"last"}`,
      user,
    );
    expect([answer.status, answer.body.title]).toEqual([201, 'last']);
  });

  it('refuses ten thousand unknown members without naming all of them', async () => {
    const raw = JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`m${index}`, 1])));
    const answer = await sendRaw('/api/auth/login', raw);
    expect(answer.status).toBe(400);
    expect(answer.text.length).toBeLessThan(5_000);
  });
});

describe('hostile text', () => {
  const texts = {
    'a NUL': 'a\\u0000b',
    'a lone high surrogate': 'a\\ud83db',
    'a lone low surrogate': '\\ude80',
    'a reversed pair': '\\ude80\\ud83d',
    'control characters': '\\u0001\\u001b[31m\\u007f',
    'right-to-left overrides': '\\u202eabc\\u2066',
    'combining marks': `a${'\\u0301'.repeat(50)}`,
    SQL: "'; drop table issues; --",
    'a template': '{{7*7}}<script>alert(1)</script>',
    'a noncharacter': '\\uffff\\ufffe',
  };
  const stored: Record<string, (text: string, ids: { repo: string; issue: string }) => [string, string, string]> = {
    'issue title': (text, { repo }) => ['POST', '/api/issues', `{"repo_id":"${repo}","title":"${text}","body":""}`],
    'issue body': (text, { repo }) => ['POST', '/api/issues', `{"repo_id":"${repo}","title":"A","body":"${text}"}`],
    'issue label': (text, { repo }) => [
      'POST',
      '/api/issues',
      `{"repo_id":"${repo}","title":"A","body":"","labels":["${text}"]}`,
    ],
    'base branch': (text, { repo }) => [
      'POST',
      '/api/issues',
      `{"repo_id":"${repo}","title":"A","body":"","base_branch":"${text}"}`,
    ],
    'repo url': (text) => ['POST', '/api/repos', `{"url":"https://example.test/${text}"}`],
    'access token': (text) => [
      'POST',
      '/api/repos',
      `{"url":"https://example.test/${newId()}","access_token":"${text}"}`,
    ],
    'test command': (text, { repo }) => ['PATCH', `/api/repos/${repo}`, `{"test_command":"${text}"}`],
    instructions: (text, { repo }) => ['PATCH', `/api/repos/${repo}`, `{"instructions":"${text}"}`],
    'repo name': (text, { repo }) => ['PATCH', `/api/repos/${repo}`, `{"name":"${text}"}`],
    'default branch': (text, { repo }) => ['PATCH', `/api/repos/${repo}`, `{"default_branch":"${text}"}`],
    'label trigger': (text, { repo }) => ['PATCH', `/api/repos/${repo}`, `{"settings":{"label_trigger":"${text}"}}`],
    guidance: (text, { issue }) => [
      'POST',
      `/api/issues/${issue}/approve`,
      `{"action":"instruct","guidance":"${text}"}`,
    ],
    note: (text, { issue }) => ['POST', `/api/issues/${issue}/messages`, `{"text":"${text}"}`],
    'user name': (text) => [
      'POST',
      '/api/auth/register',
      `{"email":"${newId()}@example.com","password":"correct horse","name":"${text}"}`,
    ],
    password: (text) => [
      'POST',
      '/api/auth/register',
      `{"email":"${newId()}@example.com","password":"correct ${text} horse"}`,
    ],
    'e-mail': (text) => ['POST', '/api/auth/register', `{"email":"${text}@example.com","password":"correct horse"}`],
    'login e-mail': (text) => ['POST', '/api/auth/login', `{"email":"${text}","password":"x"}`],
    'login password': (text) => ['POST', '/api/auth/login', `{"email":"ada@example.com","password":"${text}"}`],
  };

  it.each(Object.keys(stored))('in the %s is kept whole or refused, never a fault', async (field) => {
    for (const [what, text] of Object.entries(texts)) {
      const user = await api.login();
      const issue = await api.issue(user);
      await api.toGate(issue.id);
      const repo = await api.repo(user);
      const [method, path, raw] = stored[field]?.(text, { repo: repo.id, issue: issue.id }) ?? ['GET', '/', ''];
      const answer = await api.call(method, path, {
        as: user,
        raw,
        headers: { 'content-type': 'application/json', ...elsewhere() },
      });
      isOurs(answer);
      if (/NUL|surrogate|reversed/.test(what)) expect(answer.status, what).toBe(400);
      if (answer.status < 300 && /^issue (title|body)$/.test(field)) {
        const meant: unknown = JSON.parse(`"${text}"`);
        const kept = await api.call('GET', `/api/issues/${answer.body.id}`, { as: user });
        expect(kept.body[field === 'issue title' ? 'title' : 'body'], what).toBe(meant);
      }
    }
    noFaults();
  });

  it('whatever JSON is sent to whatever route, the answer is ours', async () => {
    const user = await api.login();
    const repo = await api.repo(user);
    const issue = await api.issue(user);
    const paths = fc.constantFrom(
      '/api/auth/login',
      '/api/auth/register',
      '/api/auth/logout?x=1',
      '/api/issues',
      '/api/repos',
      `/api/issues/${issue.id}/approve`,
      `/api/issues/${issue.id}/run`,
      `/api/issues/${issue.id}/messages`,
      `/api/issues/${issue.id}/retry`,
      '/api/auth/codehost',
      '/api/trpc/issues.approve',
      '/api/trpc/repos.update',
    );
    const member = fc.constantFrom(
      'email',
      'password',
      'title',
      'body',
      'repo_id',
      'url',
      'action',
      'settings',
      'id',
      'text',
      'budget',
    );
    const value = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.constant(repo.id), fc.constant('approve'));
    await fc.assert(
      fc.asyncProperty(paths, fc.dictionary(member, value, { maxKeys: 5 }), async (path, json) => {
        isOursOnEither(await sendRaw(path, JSON.stringify(json), user));
      }),
      { numRuns: 150 },
    );
    noFaults();
  });

  function isOursOnEither(answer: Answer): void {
    expect(answer.status).toBeLessThan(500);
    if (answer.status < 400) return;
    const { error } = answer.body as { error?: { data: { error: object } } };
    expect(error?.data.error ?? answer.body).toMatchObject({ detail: expect.any(String), code: expect.any(String) });
  }

  it('whatever stands in a path or a query, the answer is ours', async () => {
    const segment = fc.oneof(
      fc.constantFrom('..', '.', '%2e%2e', '%00', '%', '%zz', '%c0%af', '{id}', '__proto__', 'constructor', newId()),
      fc.webSegment(),
    );
    await fc.assert(
      fc.asyncProperty(segment, fc.webQueryParameters(), async (id, query) => {
        for (const path of [
          `/api/issues/${id}`,
          `/api/issues/${id}/log`,
          `/api/repos/${id}`,
          `/api/repos/${id}/search`,
          `/api/trpc/${id}`,
        ]) {
          const { status } = await api.call('GET', `${path}?${query}`, { as: ada });
          expect(status, path).toBeLessThan(500);
        }
        isOurs(await api.call('GET', `/api/issues?${query}`, { as: ada }));
      }),
      { numRuns: 60 },
    );
    noFaults();
  });
});
