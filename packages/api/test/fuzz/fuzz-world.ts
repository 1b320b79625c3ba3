import type { ServerResponse } from 'node:http';
import type { CodeHostWebhooks } from '@sluice/core/code-host';
import type { IssueId, RepoId } from '@sluice/core/id';
import { type Limiter, rateLimits } from '@sluice/core/request';
import { newId } from '@sluice/testing';
import { routeOf } from '../../src/transport/http/route-name.ts';
import { aHostedIssue, aHostedRepo, linkAccount, scriptedCodeHost } from '../scripted-code-host.ts';
import { scriptedProvider } from '../scripted-provider.ts';
import { type Login, type RunningApi, type Setup, startApi } from '../start-api.ts';
import { RIGHT } from './fuzz-requests.ts';
import { exchange, type RawAnswer } from './raw-exchange.ts';
import { KNOWN_EMAIL, KNOWN_PASSWORD } from './schema-values.ts';
import type { WorldRequest } from './world-request.ts';

/** A place is a row, and each request makes an issue or two at most. */
const ACTIVE_ISSUES = 1_000;
const REQUESTS_OF_A_USER = 400;

export interface WorldAnswer extends RawAnswer {
  /** The target that was asked for. */
  readonly sent: string;
  /** By which of our routes it was answered; null: by none. */
  readonly route: string | null;
}

export interface FuzzWorld extends AsyncDisposable {
  readonly api: RunningApi;
  /** Sends a request with its placeholders filled in, and restores what it has used up. */
  send(request: WorldRequest): Promise<WorldAnswer>;
}

/** Lets nearly all through: a real one would let nothing through after the first few hundred. */
function lenientLimiter(isMaking: () => boolean): Limiter {
  let count = 0;
  return {
    limits: rateLimits,
    consume: async () => {
      count += 1;
      const allowed = isMaking() || count % 50 !== 0;
      return { allowed, remaining: 1, resetMs: 1_000, giveBack: async () => undefined };
    },
    noteFailedLogin: async () => undefined,
    failedLogins: async () => 0,
    check: async (signal) => signal.throwIfAborted(),
  };
}

/** Takes one signature for good. */
const webhooks: CodeHostWebhooks = {
  read: ({ headers }) => (headers['x-hub-signature-256'] === RIGHT ? { id: newId(), changed: null } : null),
};

/** The api with two users who own one of everything, which comes back when a request has used it up. */
export async function startFuzzWorld(setup: Pick<Setup, 'openStores'> = {}): Promise<FuzzWorld> {
  const codehost = scriptedCodeHost();
  codehost.repos.push(aHostedRepo('acme/anvil'));
  codehost.issues.push(aHostedIssue(7), aHostedIssue(8));
  let isMaking = false;
  const api = await startApi({
    ...setup,
    trustProxy: ['loopback'],
    maxActivePipelines: ACTIVE_ISSUES,
    takesApiTokens: true,
    invitations: 'admins',
    ports: {
      accountMailer: { send: async () => ({ kind: 'accepted' }), close: () => undefined },
      codehost: { ...codehost.port, webhooks },
      oidc: [scriptedProvider()],
      limiter: lenientLimiter(() => isMaking),
    },
  });
  let latest: ServerResponse | null = null;
  for (const event of ['request', 'checkExpectation']) {
    api.server.prependListener(event, (_req: unknown, res: ServerResponse) => {
      latest = res;
    });
  }
  const account = { email: KNOWN_EMAIL, password: KNOWN_PASSWORD };
  await api.call('POST', '/api/auth/register', { json: account });
  const users: Record<'owner' | 'other', Login> = { owner: await newUser(api), other: await newUser(api) };
  const known = new Map<string, string>();
  let requests = 0;
  /** Other users now and then: lists stay short, and the places of their issues come free. */
  const renew = async () => {
    for (const whose of ['owner', 'other'] as const) {
      isMaking = true;
      await endIssues(api, users[whose]);
      await replace(whose);
    }
  };
  const replace = async (whose: 'owner' | 'other') => {
    isMaking = true;
    users[whose] = await newUser(api);
    await linkAccount(api, users[whose]);
    if (whose === 'owner') await api.stores.users.grantOperator(users.owner.user.id);
    isMaking = false;
    known.clear();
  };
  const named = async (name: string): Promise<string> => {
    const wasMaking = isMaking; // one thing may need another one
    isMaking = true;
    const id = known.get(name) ?? (await make(name));
    isMaking = wasMaking;
    known.set(name, id);
    return id;
  };
  const hostedRepo = async (as: Login) => {
    const fullName = `acme/h${newId()}` as const;
    codehost.repos.push(aHostedRepo(fullName));
    const { body } = await api.call('POST', '/api/repos', { as, json: { codehost_repo: fullName } });
    return String(body.id);
  };
  const repoWithMember = async ({ owner, other }: typeof users) => {
    const { id } = await api.repo(owner);
    const member = { repoId: id as RepoId, userId: other.user.id, role: 'viewer', origin: 'added' } as const;
    await api.stores.members.put(member);
    return id;
  };
  const make = async (name: string): Promise<string> => {
    const [whose, ...what] = name.split(' ');
    const user = users[whose === 'other' ? 'other' : 'owner'];
    if (name === 'nothing') return newId();
    if (what.at(-1) === 'session') return (await api.otherSession(user)).sessionId;
    if (what[0] === 'user') return user.user.id;
    if (what[0] === 'target') return targetOf(api, user);
    if (name === 'own repo token') return tokenOf(api, { as: user, repo_id: await named('own repo') });
    if (what[0] === 'token') return tokenOf(api, { as: user, repo_id: null });
    if (what[0] === 'hosted') return hostedRepo(user);
    if (name === 'own repo') return repoWithMember(users);
    if (what.at(-1) === 'repo') return (await api.repo(user)).id;
    if (what[0] === 'pending') return pendingIssue(api, user);
    const { id } = await api.issue(user, { repo_id: (await api.repo(user)).id });
    if (what[0] === 'gated') await api.toGate(id);
    if (what[0] === 'failed') await api.fail(id);
    if (what[0] === 'cancelled') await api.call('DELETE', `/api/issues/${id}`, { as: user });
    return id;
  };
  const filled = async (text: string): Promise<string> => {
    let out = text;
    for (const [whole, name = ''] of text.matchAll(/«([a-z ]+)»/g)) out = out.replace(whole, await named(name));
    return out;
  };

  /** Users whose accounts are gone are replaced, and the others get a session that has not ended. */
  const renewSessions = async () => {
    for (const whose of ['owner', 'other'] as const) {
      const account = await api.stores.users.account(users[whose].user.id);
      if (account !== null && account.disabledAt === null) users[whose] = await api.otherSession(users[whose]);
      else await replace(whose);
    }
  };
  const restore = async ({ as, method, target, body, spends }: WorldRequest, { status }: RawAnswer) => {
    if (method === 'GET' || status >= 300) return;
    for (const [, name = ''] of JSON.stringify({ target, body }).matchAll(/«([a-z ]+)»/g)) known.delete(name);
    if (!spends.session) return;
    await renewSessions();
    if (spends.link && as !== 'anonymous') await linkAccount(api, users[as]);
  };

  return {
    api,
    send: async (request) => {
      const { as, method, target, unescaped, headers, body } = request;
      if (requests % REQUESTS_OF_A_USER === 0) await renew();
      requests += 1;
      const parts: string[] = [];
      for (const part of target) {
        if (typeof part === 'string') parts.push(part);
        else parts.push(unescaped ? unspaced(await filled(part.fill)) : escaped(await filled(part.fill)));
      }
      const sent = parts.join('');
      const cookie = as === 'anonymous' ? [] : [['Cookie', Buffer.from(users[as].cookie)] as const];
      const given = headers.map(([name, value]) => [name, Buffer.from(unspaced(value, ' '))] as const);
      const content = body === null ? null : Buffer.from(await filled(body.text), body.encoding);
      latest = null; // what was made on the way is none of it
      const answer = await exchange(api.port, {
        method,
        target: Buffer.from(sent),
        headers: [...cookie, ...given],
        body: content,
      });
      const route = latest === null ? null : routeOf(latest);
      await restore(request, answer);
      return { ...answer, sent, route };
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

/** An issue that is not queued, like an imported one. */
async function pendingIssue(api: RunningApi, as: Login): Promise<string> {
  const repo = await api.repo(as);
  const draft = { title: 'Sum ignores its last argument', body: '', labels: [], baseBranch: 'main', warnings: [] };
  const ids = { id: newId<IssueId>(), userId: as.user.id, repoId: repo.id as RepoId };
  const outcome = await api.stores.issues.create({ ...draft, ...ids, origin: 'api' }, { queue: false });
  if (outcome.kind !== 'applied') throw new Error(`The issue was not created: ${outcome.kind}`);
  return outcome.issue.id;
}

/** A user who can prove who they are. */
async function newUser(api: RunningApi): Promise<Login> {
  const email = `u${newId()}@example.com`;
  await api.call('POST', '/api/auth/register', { json: { email, password: KNOWN_PASSWORD } });
  const user = await api.stores.users.find({ email });
  if (user === null) throw new Error('The user was not registered.');
  return api.otherSession({ user });
}

async function tokenOf(api: RunningApi, { as, repo_id }: { as: Login; repo_id: string | null }): Promise<string> {
  const json = { name: 'CI', scope: 'read', repo_id, expires_in_days: 30 };
  const made = await api.call('POST', '/api/tokens', { as, json });
  if (made.status !== 201) throw new Error(`The token was not created: ${made.text}`);
  return String(made.body.id);
}

/** A new notification target, or an old one of a user who has as many as one may have. */
async function targetOf(api: RunningApi, as: Login): Promise<string> {
  const path = '/api/notifications/targets';
  const made = await api.call('POST', path, { as, json: { url: 'https://example.com/hook' } });
  if (made.status === 201) return String(made.body.id);
  const { body } = await api.call('GET', path, { as });
  return String((body.items as { id: string }[])[0]?.id);
}

async function endIssues(api: RunningApi, as: Login): Promise<void> {
  for (;;) {
    const query = 'limit=100&status=pending&status=running&status=awaiting_approval';
    const { body } = await api.call('GET', `/api/issues?${query}`, { as });
    const items = body.items as { id: string }[];
    if (items.length === 0) return;
    for (const { id } of items) await api.call('DELETE', `/api/issues/${id}`, { as });
  }
}

/** Without what would end the line: the rest would be another request, and the answer not to this one. */
const unspaced = (text: string, instead = '') => text.replaceAll(/[\r\n]/g, instead);

/** Percent-encoded; half of a surrogate pair as the three bytes that a careless encoder makes of it. */
function escaped(text: string): string {
  return [...text].map((one) => (one.isWellFormed() ? encodeURIComponent(one) : halfEscaped(one))).join('');
}

function halfEscaped(half: string): string {
  const unit = half.charCodeAt(0);
  const bytes = [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)];
  return bytes.map((byte) => `%${byte.toString(16)}`).join('');
}
