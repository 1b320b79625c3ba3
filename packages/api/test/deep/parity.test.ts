import { AppError } from '@sluice/core/error';
import type { IssueId, RepoId } from '@sluice/core/id';
import { aNewApiToken, newId } from '@sluice/testing';
import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client';
import { TRPCError } from '@trpc/server';
import { TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { publicError } from '../../src/error/public-error.ts';
import { createIssueFeed } from '../../src/feed/issue-feed.ts';
import { linkHashOf } from '../../src/identity/accounts/account-links.ts';
import { createAccountMails } from '../../src/identity/login/account-mails.ts';
import { createFailedLoginCounts } from '../../src/identity/login/failed-login-counts.ts';
import { createLoginDelay } from '../../src/identity/login/login-delay.ts';
import { createPasswords } from '../../src/identity/login/passwords.ts';
import { createSessionTokens } from '../../src/identity/session/session-tokens.ts';
import { admitCaller } from '../../src/procedure/admit-caller.ts';
import type { RequestContext } from '../../src/procedure/request-context.ts';
import { routeTable } from '../../src/transport/rest/route-table.ts';
import { type AppRouter, appRouter } from '../../src/transport/trpc/app-router.ts';
import { enrollApp, PASSWORD as password } from '../second-factor-user.ts';
import { type Login, type RunningApi, startApi } from '../start-api.ts';

// Usual way: packages/api/test/protocol-methods.test.ts, packages/api/test/trpc.test.ts

let api: RunningApi;
let ada: Login;
beforeEach(async () => {
  api = await startApi({ takesApiTokens: true, maxActivePipelines: 50, trustProxy: ['loopback'] });
  ada = await api.login();
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
});

type Outcome = { ok: unknown } | { error: Record<string, unknown> };
interface Call {
  readonly procedure: string;
  readonly method: string;
  readonly path: string;
  /** The whole input, the path's part of it included. */
  readonly input: Record<string, unknown>;
  readonly as: Login | null;
}

/** Reads the members by name: the names come from the router, and no type knows them all at once. */
function member(root: unknown, path: string): (input: unknown) => Promise<unknown> {
  let node = root;
  for (const name of path.split('.')) node = (node as Record<string, unknown>)[name];
  return node as (input: unknown) => Promise<unknown>;
}

function inProcess(as: Login | null): RequestContext {
  const { deps, options } = api;
  const actor = async () => (as === null ? null : await deps.sessions.find(as.sessionId));
  const find = async () => (await actor()) ?? new AppError('session_missing');
  return {
    ...deps,
    options,
    tokens: createSessionTokens(deps, options.sessionSecret),
    passwords: createPasswords(),
    failedLogins: createFailedLoginCounts(deps),
    accountMails: createAccountMails(deps),
    verifiesEmail: false,
    loginDelay: createLoginDelay(deps.limiter),
    issueFeed: createIssueFeed(deps),
    limits: deps.limiter.limits,
    requestId: 'in-process',
    signal: new AbortController().signal,
    head: {
      userAgent: undefined,
      cookie: as?.cookie,
      idempotencyKey: undefined,
      query: new URLSearchParams(),
      origin: undefined,
      host: undefined,
      fetchSite: undefined,
      wantsPage: false,
      actor,
    },
    admit: (meta) => admitCaller(deps, { ip: newId, find, bringsToken: false, mustEnroll: () => false }, meta),
    actorNow: async () => {
      const found = await find();
      if (found instanceof AppError) throw found;
      return found;
    },
    appendHeader: () => {},
    hangUp: () => {},
  };
}

const byCaller = async ({ procedure, input, as }: Call): Promise<Outcome> => {
  try {
    return { ok: (await member(appRouter.createCaller(inProcess(as)), procedure)(input)) ?? null };
  } catch (error) {
    expect(error).toBeInstanceOf(TRPCError);
    return { error: publicError(error, 'in-process').body };
  }
};

const byTrpc = async ({ procedure, method, input, as }: Call): Promise<Outcome> => {
  const headers = { 'x-forwarded-for': '192.0.2.2', ...(as === null ? {} : { cookie: as.cookie }) };
  const client = createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: `${api.url}/api/trpc`, headers })] });
  try {
    return { ok: (await member(client, `${procedure}.${method === 'GET' ? 'query' : 'mutate'}`)(input)) ?? null };
  } catch (error) {
    if (!(error instanceof TRPCClientError)) throw error;
    return { error: error.data.error };
  }
};

const byRest = async ({ method, path, input, as }: Call): Promise<Outcome> => {
  const rest = { ...input };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return value;
  });
  const inQuery = method === 'GET' || method === 'DELETE';
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(inQuery ? rest : {})) {
    for (const one of [value].flat()) query.append(name, String(one));
  }
  const answer = await api.call(method, `/api${filled}?${query}`, {
    ...(as === null ? {} : { as }),
    ...(inQuery ? {} : { json: rest }),
    headers: { 'x-forwarded-for': '192.0.2.3' },
  });
  if (answer.status >= 400) return { error: answer.body };
  return { ok: answer.body };
};

/** What differs from call to call by its nature. */
function steady(outcome: Outcome): unknown {
  const volatile =
    /^(request_id|id|repo_id|user_id|registered_by|since|active_issue_id|at|.*_at|latency_ms|email|url|name|next_cursor|timestamp|secret|token|hint|requested_at|challenge|otpauth_uri|recovery_codes)$/;
  const blank = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(blank);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, volatile.test(name) && one !== null ? '*' : blank(one)]),
    );
  };
  return JSON.parse(JSON.stringify(blank(outcome)).replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '*'));
}

const issueAt = (prepare?: (id: string) => Promise<unknown>) => async () => {
  const { id } = await api.issue(await ownerOf());
  await prepare?.(id);
  return { id };
};
/** A fresh user for every call, so that its limits and its repositories are its own. */
let owner: Login;
const ownerOf = async () => owner;
const account = async () => {
  const email = `${newId()}@example.com`;
  const passwordHash = await createPasswords().hash(password);
  await api.stores.users.create({ id: newId(), email, name: null, passwordHash, onlyIfFirst: false });
  return { email, password };
};

/** @returns the secret of a link that works */
const link = async (purpose: 'password_reset' | 'email_verification') => {
  const { id: userId, email } = (await api.login()).user;
  const token = newId();
  const expiresAt = new Date(Date.now() + 60_000);
  await api.stores.accountLinks.put({ tokenHash: linkHashOf(token), purpose, userId, email: email ?? '', expiresAt });
  return token;
};

const closedAt = async (id: string) => {
  await api.stores.outcomes.note(await api.publish(id, 9), { state: 'closed' });
  return { id };
};
const target = async () => {
  const { body } = await api.call('POST', '/api/notifications/targets', {
    as: await ownerOf(),
    json: { url: 'https://example.com/hook' },
  });
  return { id: String(body.id) };
};

const asOperator = async () => {
  await api.stores.users.grantOperator(owner.user.id);
};
/** Another user, for an operator. */
const anotherUser = async () => {
  await asOperator();
  return { user_id: (await api.login()).user.id };
};
const tokenOfAnother = async () => {
  const { user_id } = await anotherUser();
  const token = aNewApiToken({ userId: user_id, expiresAt: new Date(Date.now() + 3_600_000) });
  await api.stores.apiTokens.create(token);
  return { user_id, token_id: token.id };
};

const invitation = async () => {
  await asOperator();
  const { id } = await api.repo(owner);
  const json = { email: `${newId()}@example.com`, role: 'viewer' };
  const { body } = await api.call('POST', `/api/repos/${id}/invitations`, { as: owner, json });
  return { id, invitation_id: String(body.id) };
};

const CONTENT = ['GET / 500'];
const upload = {
  name: 'answer.json',
  media_type: 'application/json',
  data: Buffer.from(JSON.stringify(CONTENT)).toString('base64'),
};
const uploaded = async () => {
  const { body } = await api.call('POST', '/api/attachments', { as: owner, json: upload });
  return { id: String(body.id) };
};

const tokenOfRepo = async () => {
  const { id } = await api.repo(owner);
  const expiresAt = new Date(Date.now() + 3_600_000);
  const token = aNewApiToken({ userId: owner.user.id, repoId: id as RepoId, expiresAt });
  await api.stores.apiTokens.create(token);
  return { id, token_id: token.id };
};

const membership = async () => {
  const { id } = await api.repo(owner);
  const { user } = await api.login();
  await api.stores.members.put({ repoId: id as RepoId, userId: user.id, role: 'contributor', origin: 'added' });
  return { id, user_id: user.id };
};

const withPassword = async (as: Login) => {
  const passwordHash = await createPasswords().hash(password);
  await api.stores.users.changeAccount(as.user.id, { passwordHash, keep: as.sessionId });
  return { current_password: password };
};
const begunApp = async () => {
  const json = await withPassword(owner);
  const { body } = await api.call('POST', '/api/auth/second-factors/totp', { as: owner, json });
  return { challenge: body.challenge, name: 'Phone', code: new TOTP({ secret: String(body.secret) }).generate() };
};
const enrolledApp = async () => {
  await withPassword(owner);
  const { id } = await enrollApp(api, owner);
  // Another user is refused for the factor, and not for the want of a password.
  return { id, ...(await withPassword(ada)) };
};

/** For every procedure: how to make an input with which it succeeds, freshly for every call. */
const good: Record<string, () => Promise<Record<string, unknown>>> = {
  'auth.register': async () => ({ email: `${newId()}@example.com`, password }),
  'auth.login': account,
  'auth.logout': async () => ({}),
  'auth.me': async () => ({}),
  'auth.account.update': async () => ({ name: 'Augusta' }),
  'auth.account.deletion': async () => ({}),
  'auth.account.delete': () => withPassword(owner),
  'auth.preferences.get': async () => ({}),
  'auth.preferences.update': async () => ({ diff: 'unified', shortcuts: false }),
  'auth.account.failedLogins': async () => ({}),
  'auth.sessions.list': async () => ({ limit: 5 }),
  'auth.sessions.revoke': async () => ({ id: (await api.otherSession(owner)).sessionId }),
  'auth.secondFactors.list': async () => {
    await enrolledApp();
    return {};
  },
  'auth.secondFactors.beginTotp': () => withPassword(owner),
  'auth.secondFactors.beginPasskey': () => withPassword(owner),
  'auth.secondFactors.add': begunApp,
  'auth.secondFactors.rename': async () => ({ ...(await enrolledApp()), name: 'Old phone' }),
  'auth.secondFactors.remove': enrolledApp,
  'auth.secondFactors.replaceRecoveryCodes': async () => ({ current_password: (await enrolledApp()).current_password }),
  'auth.password.reset': async () => ({ token: await link('password_reset'), password: 'a staple of batteries' }),
  'auth.email.verify': async () => ({ token: await link('email_verification') }),
  'audit.list': async () => ({ limit: 1 }),
  'admin.overview': async () => {
    await api.stores.users.grantOperator(owner.user.id);
    return {};
  },
  'admin.budgets': async () => {
    await api.stores.users.grantOperator(owner.user.id);
    return {};
  },
  'admin.updateBudgets': async () => {
    await api.stores.users.grantOperator(owner.user.id);
    return { of: 'each_user', cost_usd: 1_000 };
  },
  'admin.users': async () => {
    await asOperator();
    return { limit: 1, q: 'example', state: 'active' };
  },
  'admin.user': anotherUser,
  'admin.updateUser': async () => ({ ...(await anotherUser()), operator: true, disabled: true, keep_issues: true }),
  'admin.invite': async () => {
    await asOperator();
    return { email: `${newId()}@example.com` };
  },
  'admin.invitations': async () => {
    for (let made = 0; made < 2; made += 1) await invitation(); // so that there is a next page in any case
    return { limit: 1 };
  },
  'admin.withdrawInvitation': async () => ({ invitation_id: (await invitation()).invitation_id }),
  'admin.repos': async () => {
    await asOperator();
    for (let made = 0; made < 2; made += 1) await api.repo(owner);
    return { limit: 1 };
  },
  'admin.userSessions': async () => ({ ...(await anotherUser()), limit: 5 }),
  'admin.endUserSessions': anotherUser,
  'admin.userTokens': async () => ({ user_id: (await tokenOfAnother()).user_id }),
  'admin.revokeUserToken': tokenOfAnother,
  'admin.removeUserSecondFactors': anotherUser,
  'budgets.mine': async () => ({}),
  'repos.budget': async () => ({ id: (await api.repo(owner)).id }),
  'repos.updateBudget': async () => ({ id: (await api.repo(owner)).id, tokens: 1_000_000 }),
  'admin.audit': async () => {
    await api.stores.users.grantOperator(owner.user.id);
    return { limit: 1 };
  },
  'repos.list': async () => ({ limit: 5 }),
  'repos.create': async () => ({ url: `https://example.test/acme/${newId()}`, settings: { auto_run: true } }),
  'repos.get': async () => ({ id: (await api.repo(owner)).id }),
  'repos.update': async () => ({ id: (await api.repo(owner)).id, test_command: 'make' }),
  'repos.search': async () => ({ id: (await api.repo(owner)).id, q: 'the sum of all arguments', limit: 7 }),
  'repos.delete': async () => ({ id: (await api.repo(owner)).id }),
  'repos.members': async () => ({ id: (await api.repo(owner)).id }),
  'repos.addMember': async () => ({ id: (await api.repo(owner)).id, user: (await account()).email, role: 'approver' }),
  'repos.changeMember': async () => ({ ...(await membership()), role: 'viewer' }),
  'repos.removeMember': () => membership(),
  'repos.inviteMember': async () => ({ id: (await invitation()).id, email: `${newId()}@example.com`, role: 'admin' }),
  'repos.invitations': async () => ({ id: (await invitation()).id }),
  'repos.withdrawInvitation': invitation,
  'repos.tokens': async () => ({ id: (await tokenOfRepo()).id }),
  'repos.revokeToken': () => tokenOfRepo(),
  'tokens.list': async () => ({ limit: 5 }),
  'tokens.create': async () => ({ name: 'CI', scope: 'write', expires_in_days: 30 }),
  'tokens.revoke': async () => ({ id: (await tokenOfRepo()).token_id }),
  'issues.list': async () => ({ status: ['running', 'failed'], limit: 3 }),
  'issues.inbox': async () => ({ q: 'sum' }),
  'issues.create': async () => ({ repo_id: (await api.repo(owner)).id, title: 'A', body: 'B', labels: ['x'] }),
  'issues.get': issueAt(),
  'issues.run': async () => {
    const repo = await api.repo(owner);
    const id = newId<IssueId>();
    const issue = {
      id,
      userId: owner.user.id,
      repoId: repo.id as never,
      title: 'A',
      body: '',
      labels: [],
      baseBranch: 'main',
    };
    await api.stores.issues.create({ ...issue, origin: 'codehost' }, { queue: false });
    return { id };
  },
  'issues.update': async () => ({ ...(await good['issues.run']?.()), title: 'Another title' }),
  'attachments.upload': async () => upload,
  'attachments.get': uploaded,
  'attachments.list': issueAt(),
  'issues.message': async () => ({ ...(await issueAt()()), text: 'Leave the API as it is.' }),
  'issues.retry': async () => ({ ...(await issueAt((id) => api.fail(id))()), budget: { tokens: 5, cost_usd: null } }),
  'issues.approve': async () => ({ ...(await issueAt((id) => api.toGate(id))()), action: 'approve', revision: 1 }),
  'issues.cancel': issueAt(),
  'issues.delete': issueAt((id) => api.fail(id)),
  'issues.history': async () => ({ ...(await issueAt((id) => api.fail(id))()), after: 1, limit: 1 }),
  'issues.steps': issueAt(async (id) => {
    const claimed = await api.stores.runs.claim(id as IssueId, { owner: 'a worker', ttlMs: 60_000 });
    if (claimed === null) throw new Error('The issue was not claimed.');
    await api.stores.runs.beginAttempt(claimed.lease, { stage: 'plan', round: 1, agent: 'planner' });
  }),
  'issues.base': issueAt((id) => api.toGate(id)),
  'issues.outcome': issueAt((id) => api.publish(id, 9)),
  'issues.closeReason': async () => ({ ...(await issueAt(closedAt)()), reason: 'other', note: 'Not now.' }),
  'outcomes.read': async () => ({ group_by: 'model', from: '2026-11-01T00:00:00Z' }),
  'issues.plans': issueAt((id) => api.toGate(id)),
  'issues.diff': issueAt(),
  'issues.log': async () => ({ ...(await issueAt()()), after: 3 }),
  'notifications.list': async () => ({}),
  'notifications.create': async () => ({ url: 'https://example.com/hook', events: ['issue.failed'] }),
  'notifications.get': target,
  'notifications.update': async () => ({ ...(await target()), format: 'slack', enabled: false }),
  'notifications.delete': target,
  'notifications.rotateSecret': async () => ({ ...(await target()), expire_old_now: true }),
  'notifications.test': target,
  'notifications.deliveries': async () => ({ ...(await target()), status: 'pending', limit: 5 }),
  'notifications.replay': async () => ({
    ...(await target()),
    from: '2026-11-20T00:00:00Z',
    to: '2026-11-21T00:00:00Z',
    only_given_up: true,
  }),
  'auth.oidc.identities': async () => ({}),
  'server.get': async () => ({}),
  'health.live': async () => ({}),
  'health.ready': async () => ({}),
};
/** Inputs of procedures that refuse, as they are not made from nothing. */
const refused: Record<string, () => Promise<Record<string, unknown>>> = {
  'auth.password.requestReset': async () => ({ email: 'ada@example.com' }),
  'auth.codehost.cli.confirm': async () => ({ program: 'x' }),
  'auth.oidc.start': async () => ({ provider: 'company' }),
  'auth.oidc.finish': async () => ({ provider: 'company' }),
  'auth.oidc.cli.start': async () => ({
    provider: 'company',
    port: 4_000,
    challenge: 'c'.repeat(43),
    state: 's'.repeat(16),
  }),
  'auth.oidc.cli.confirm': async () => ({ provider: 'company', program: 'x' }),
  'auth.oidc.cli.finish': async () => ({ provider: 'company', grant: 'g'.repeat(43), verifier: 'v'.repeat(43) }),
  'auth.oidc.unlink': async () => ({ provider: 'company' }),
  'auth.oidc.logout': async () => ({ provider: 'company' }),
  'repos.issues': async () => ({ id: (await api.repo(owner)).id, page: 2 }),
  'issues.import': async () => ({ repo_id: (await api.repo(owner)).id, number: 7 }),
};
/** Procedures that only refuse while no code host, no provider and no mail server are configured. */
const refusing = [
  'auth.password.requestReset',
  'auth.email.requestVerification',
  'auth.codehost.start',
  'auth.codehost.finish',
  'auth.codehost.cli.start',
  'auth.codehost.cli.confirm',
  'auth.codehost.cli.finish',
  'auth.codehost.unlink',
  'auth.oidc.start',
  'auth.oidc.finish',
  'auth.oidc.cli.start',
  'auth.oidc.cli.confirm',
  'auth.oidc.cli.finish',
  'auth.oidc.unlink',
  'auth.oidc.logout',
  'codehost.repos',
  'repos.issues',
  'issues.import',
];

const inputOf = async (procedure: string) => (await (good[procedure] ?? refused[procedure])?.()) ?? {};

const routes = routeTable(appRouter).filter(({ meta }) => meta.sse === undefined);
const transports = [byCaller, byTrpc, byRest];

async function onAll(make: (as: Login) => Promise<Call>): Promise<unknown[]> {
  const outcomes: unknown[] = [];
  for (const transport of transports) {
    owner = await api.login();
    outcomes.push(steady(await transport(await make(owner))));
  }
  return outcomes;
}

describe('a procedure answers alike in process, over tRPC and over REST', () => {
  it('covers every procedure', () => {
    expect(routes.map(({ name }) => name).sort()).toEqual([...Object.keys(good), ...refusing].sort());
  });

  it.each(routes)('$name', async ({ name: procedure, method, path, meta, params }) => {
    const call = (input: Record<string, unknown>, as: Login | null): Call => ({ procedure, method, path, input, as });

    const [caller, trpc, rest] = await onAll(async (as) => call(await inputOf(procedure), as));
    expect(caller).toHaveProperty(refusing.includes(procedure) ? 'error.code' : 'ok');
    expect(trpc).toEqual(caller);
    // Over REST, a file is its content.
    expect(rest).toEqual(meta.file === undefined ? caller : { ok: CONTENT });

    const unknown = await onAll(async (as) => call({ ...(await inputOf(procedure)), unheard_of: 'x' }, as));
    if (!['auth.codehost.finish', 'auth.oidc.finish'].includes(procedure))
      expect(unknown[0]).toMatchObject({ error: { code: 'validation_failed' } });
    expect(unknown.slice(1)).toEqual([unknown[0], unknown[0]]);

    const anonymous = await onAll(async () => call(await inputOf(procedure), null));
    if (meta.session === true) expect(anonymous[0]).toMatchObject({ error: { code: 'session_missing' } });
    expect(anonymous.slice(1)).toEqual([anonymous[0], anonymous[0]]);

    if (!params.includes('id')) return;
    const absent = await onAll(async (as) => call({ ...(await inputOf(procedure)), id: newId() }, as));
    expect(absent[0]).toMatchObject({
      error: {
        code: expect.stringMatching(
          /^(issue|repo|session|second_factor|api_token|notification_target|attachment)_not_found$/,
        ),
      },
    });
    expect(absent.slice(1)).toEqual([absent[0], absent[0]]);

    const foreign = await onAll(async () => call(await inputOf(procedure), ada));
    // A factor is looked for among those of the caller only, and what no issue has used is its uploader's alone.
    const unseen: Record<string, string> = { 'attachments.get': 'attachment_not_found' };
    const refusal = procedure.startsWith('auth.secondFactors.') ? 'second_factor_not_found' : unseen[procedure];
    expect(foreign[0]).toMatchObject({ error: { code: refusal ?? 'not_owner' } });
    expect(foreign.slice(1)).toEqual([foreign[0], foreign[0]]);
  });
});
