import type { ApiTokenId, IssueId } from '@sluice/core/id';
import { aNewApiToken, aPlan, newId, settableClock } from '@sluice/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../src/openapi/openapi-document.ts';
import { type Operation, operationsOf } from './fuzz/operations.ts';
import { exchange, type RawAnswer } from './fuzz/raw-exchange.ts';
import { aHostedRepo, linkAccount, scriptedCodeHost } from './scripted-code-host.ts';
import { type Login, type RunningApi, startApi } from './start-api.ts';

/** Part of everything that the owner has, so that a leak is detected. */
const CANARY = 'canary-of-the-owner';
const HOUR_MS = 3_600_000;

const operations = operationsOf(openApiDocument());
const nameOf = ({ method, path }: Operation) => `${method} ${path}`;
const needsSession = ({ described }: Operation) => described.security.length > 0;
const forUsers = operations.filter(needsSession).map((operation) => [nameOf(operation), operation] as const);
const forAll = operations.filter((one) => !needsSession(one)).map((one) => [nameOf(one), one] as const);
// A second factor is looked for among one's own alone, after the password: see `second-factor.test.ts`.
const isOwnAlone = (path: string) => path.includes('/second-factors/');
const ofOneThing = forUsers.filter(([, { path }]) => path.includes('{id}') && !isOwnAlone(path));
/** Writes in whose body the owner's repository is named. */
const inARepo = forUsers.filter(
  ([, { body, path }]) => body?.properties?.repo_id !== undefined && !path.startsWith('/api/admin/'),
);

let api: RunningApi;
let owner: Login;
let other: Login;
/** Cookies that once were sessions of the owner, or none at all. */
const outsiders: Record<string, string | null> = {};
let things: { attachment: string; issue: string; repo: string; session: string; target: string; token: ApiTokenId };

beforeAll(async () => {
  const clock = settableClock();
  const codehost = scriptedCodeHost();
  codehost.repos.push(aHostedRepo(`acme/${CANARY}`));
  api = await startApi({ clock, sessionTtlMs: HOUR_MS, ports: { codehost: codehost.port } });
  owner = await api.login({ name: CANARY, email: `${CANARY}@example.com` });
  outsiders.expired = owner.cookie;
  clock.advance(HOUR_MS + 1_000);
  owner = await api.otherSession(owner);
  other = await api.login();
  await linkAccount(api, owner);

  const revoked = await api.otherSession(owner);
  await api.stores.sessions.revoke(revoked.sessionId);
  const disabled = await api.login();
  await api.stores.users.disable(disabled.user.id);
  const noLongerThere = await api.otherSession(owner);
  await api.call('POST', '/api/auth/logout', { as: noLongerThere });
  Object.assign(outsiders, {
    anonymous: null,
    revoked: revoked.cookie,
    'logged out': noLongerThere.cookie,
    disabled: disabled.cookie,
    forged: `${owner.cookie.slice(0, -4)}AAAA`,
  });

  const repo = await api.repo(owner, {
    url: `https://example.test/acme/${CANARY}`,
    instructions: CANARY,
    test_command: CANARY,
  });
  const file = { name: CANARY, media_type: 'text/plain', data: Buffer.from(CANARY).toString('base64') };
  const { body: uploaded } = await api.call('POST', '/api/attachments', { as: owner, json: file });
  const attachment = String(uploaded.id);
  const texts = { title: CANARY, body: CANARY, labels: [CANARY] };
  const issue = await api.issue(owner, { repo_id: repo.id, ...texts, attachments: [attachment] });
  await api.toGate(issue.id, aPlan({ summary: CANARY }));
  const spent = { input_tokens: 1, output_tokens: 1, cost_usd: 1 };
  await api.stores.budgets.book({ userId: owner.user.id, repoId: repo.id as never }, spent);
  const json = { url: `https://example.com/${CANARY}`, description: CANARY };
  const target = await api.call('POST', '/api/notifications/targets', { as: owner, json });
  await api.call('POST', `/api/notifications/targets/${target.body.id}/test`, { as: owner });
  await api.call('POST', '/api/admin/invitations', { as: owner, json: { email: `guest-of-${CANARY}@example.com` } });
  const { sessionId: session } = await api.otherSession(owner);
  const token = aNewApiToken({
    userId: owner.user.id,
    repoId: repo.id as never,
    name: CANARY,
    expiresAt: new Date(clock.now().getTime() + HOUR_MS),
  });
  await api.stores.apiTokens.create(token);
  things = { attachment, token: token.id, issue: issue.id, repo: repo.id, session, target: String(target.body.id) };
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
});

/** Sends the document's example, about the owner's resources by default. */
function ask({ method, path, described }: Operation, cookie: string | null, instead?: { id?: string; body?: string }) {
  const example = described.requestBody?.content['application/json']?.example as object | undefined;
  const named = example !== undefined && 'repo_id' in example ? { ...example, repo_id: things.repo } : example;
  const body = instead?.body ?? (method === 'GET' ? null : JSON.stringify(named ?? {}));
  const query = path.endsWith('/search') ? '?q=sum' : '';
  const headers = body === null ? [] : [['Content-Type', Buffer.from('application/json')] as const];
  return exchange(api.port, {
    method,
    target: Buffer.from(
      path
        .replace('{id}', instead?.id ?? thingOf(path))
        .replace('{user_id}', owner.user.id)
        .replace('{token_id}', things.token)
        .replace('{invitation_id}', things.token)
        .replace('{provider}', 'company') + query,
    ),
    headers: cookie === null ? headers : [['Cookie', Buffer.from(cookie)] as const, ...headers],
    body: body === null ? null : Buffer.from(body),
  });
}

function thingOf(path: string): string {
  if (path.startsWith('/api/attachments')) return things.attachment;
  if (path.startsWith('/api/issues')) return things.issue;
  if (path.startsWith('/api/notifications')) return things.target;
  if (path.startsWith('/api/tokens')) return things.token;
  return path.startsWith('/api/repos') ? things.repo : things.session;
}

/** All that the owner has, as the stores have it. */
async function ownersThings() {
  const { issues, repos, sessions, apiTokens, notifications } = api.stores;
  return JSON.stringify([
    await issues.get(things.issue as IssueId),
    await repos.get(things.repo as never),
    await sessions.find(owner.sessionId),
    await sessions.find(things.session as never),
    await apiTokens.find({ id: things.token }),
    await notifications.target(things.target),
    await notifications.secrets(things.target),
    await notifications.deliveries({ targetId: things.target, limit: 10, cursor: null }),
  ]);
}

const refusalOf = ({ status, text }: RawAnswer) => [status, text === '' ? null : JSON.parse(text).code];

describe('without a session', () => {
  it.each(forUsers)('%s is a 401 that reveals nothing, for any input and any ended session', async (_, operation) => {
    const before = await ownersThings();
    for (const [who, cookie] of Object.entries(outsiders)) {
      for (const instead of [{}, { id: newId() }, { id: "'; --" }, { body: '{' }, { body: '{"unknown":1}' }]) {
        const answer = await ask(operation, cookie, {
          ...instead,
          ...(instead.id === undefined ? {} : { id: encodeURIComponent(instead.id) }),
        });
        expect(refusalOf(answer), who).toEqual([401, 'session_missing']);
        expect(answer.text, who).not.toContain(CANARY);
      }
    }
    expect(await ownersThings()).toBe(before);
  });

  it.each(forAll)(
    '%s, which needs none, says the same to all of them, and nothing of the owner',
    async (_, operation) => {
      const statuses = new Set<number>();
      for (const cookie of [...Object.values(outsiders), other.cookie]) {
        const answer = await ask(operation, cookie);
        expect(answer.status).toBeLessThan(500);
        expect(answer.text + [...answer.headers.values()].join()).not.toContain(CANARY);
        statuses.add(answer.status);
      }
      if (operation.method === 'GET') expect(statuses.size).toBe(1); // a write may say that it was done already
    },
  );
});

describe("another user's", () => {
  it.each(ofOneThing)('%s is a 403 that reveals nothing and changes nothing', async (_, operation) => {
    const before = await ownersThings();
    const answer = await ask(operation, other.cookie);
    expect(refusalOf(answer)).toEqual([403, 'not_owner']);
    expect(answer.text).not.toContain(CANARY);
    expect(await ownersThings()).toBe(before);
  });

  it.each(inARepo)('repository in %s is a 403 and nothing is made', async (_, operation) => {
    const answer = await ask(operation, other.cookie);
    expect(refusalOf(answer)).toEqual([403, 'not_owner']);
    expect(answer.text).not.toContain(CANARY);
  });

  it.each(forUsers.filter(([, { method, path }]) => method === 'GET' && !path.includes('{id}')))(
    'things are not in %s',
    async (_, operation) => {
      const theirs = await ask(operation, other.cookie);
      expect(theirs.status).toBeLessThan(500);
      expect(theirs.text).not.toContain(CANARY);
      expect(theirs.text).not.toContain(owner.user.id);
    },
  );

  it("server is a 403 to who is no operator, whatever the operator's things are", async () => {
    const ofServer = operations.filter(({ path }) => path.startsWith('/api/admin/'));
    expect(ofServer.length).toBeGreaterThan(10);
    for (const operation of ofServer) {
      const { method, path } = operation;
      expect(refusalOf(await ask(operation, other.cookie))).toEqual([403, 'operator_required']);
      // A session shows nothing of its user, and a write would act on the owner.
      if (method !== 'GET' || path.endsWith('/sessions')) continue;
      expect((await ask(operation, owner.cookie)).text, path).toContain(CANARY);
    }
  });

  it('repository as a filter finds nothing', async () => {
    const answer = await api.call('GET', `/api/issues?repo_id=${things.repo}`, { as: other });
    expect(answer.text).not.toContain(CANARY);
    expect(answer.body.items ?? []).toEqual([]);
  });
});

describe('the order of the checks', () => {
  it.each(ofOneThing)('of %s: what does not exist is a 404 to everybody', async (_, operation) => {
    for (const { cookie } of [owner, other]) {
      for (const id of [newId(), 'x', '%00', '..%2f..']) {
        const answer = await ask(operation, cookie, { id });
        expect(answer.status, id).toBe(404);
      }
    }
  });

  it.each(ofOneThing.filter(([, { body }]) => body !== null))(
    'of %s: an invalid body is a 400 before it is looked whose it is',
    async (_, operation) => {
      for (const { cookie } of [owner, other]) {
        for (const id of [undefined, newId()]) {
          const answer = await ask(operation, cookie, { body: '{"unknown":1}', ...(id === undefined ? {} : { id }) });
          expect(refusalOf(answer)).toEqual([400, 'validation_failed']);
        }
      }
    },
  );
});

describe('the owner', () => {
  it.each(forUsers.filter(([, { method }]) => method === 'GET'))('is let through to %s', async (_, operation) => {
    const answer = await ask(operation, owner.cookie);
    expect([200, 204, 409]).toContain(answer.status);
  });

  it('has the canary in what is read, so its absence elsewhere means something', async () => {
    const texts = await Promise.all(
      ofOneThing
        .filter(
          ([, { method, path }]) => method === 'GET' && /\/(issues|repos|targets)\/\{id\}$|plans$|history$/.test(path),
        )
        .map(async ([, operation]) => (await ask(operation, owner.cookie)).text),
    );
    expect(texts).toHaveLength(5);
    for (const text of texts) expect(text).toContain(CANARY);
  });
});
