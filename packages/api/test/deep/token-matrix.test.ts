import { type Role, roles, scopeOf, scopeRoles, type TokenScope, tokenScopes } from '@sluice/core/access';
import { hashApiToken, type NewApiToken, renderApiToken } from '@sluice/core/api-token';
import type { RepoId } from '@sluice/core/id';
import { type RateLimits, rateLimits } from '@sluice/core/request';
import { migratedDatabase } from '@sluice/db/scratch';
import { createMemoryLimiter } from '@sluice/redis';
import { aNewApiToken, eventually, isSoakRun, newId, type PostgresDatabases, sharedPostgres } from '@sluice/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Route, routeTable } from '../../src/transport/rest/route-table.ts';
import { appRouter } from '../../src/transport/trpc/app-router.ts';
import { openStream } from '../feed/open-stream.ts';
import { openStoresAt } from '../open-stores-at.ts';
import { type Login, type RunningApi, startApi } from '../start-api.ts';

// Usual way: packages/api/test/access-matrix.test.ts, packages/api/test/api-tokens.test.ts

// Every procedure, over REST and over tRPC, by every kind of caller. What a session of each role may do is what
// members.test.ts has a table of; here a token has to come to what the session of the lesser role comes to.

const HERE = 'canary-of-this-repository';
const THERE = 'canary-of-the-other-repository';
const HOUR_MS = 3_600_000;

const routes = routeTable(appRouter);
const forUsers = routes.filter(({ meta }) => meta.session === true);
const byTokens = forUsers.filter(({ meta }) => meta.token !== undefined);

interface Caller {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Their role in this repository. */
  readonly role: Role | null;
  readonly token?: { readonly scope: TokenScope; readonly reach: 'here' | 'there' | 'all'; readonly ended?: string };
}

/** A repository with an issue, of which `members` have each role and `holder` is an admin with tokens. */
interface World {
  readonly repo: string;
  readonly issue: string;
  readonly callers: readonly Caller[];
}

/** The text of a stream up to its first event or refusal. It does not end by itself. */
async function firstOf(answer: Response): Promise<string> {
  let sent = '';
  for await (const chunk of answer.body ?? []) {
    sent += new TextDecoder().decode(chunk as Uint8Array);
    if (/"seq":|stream\.opened|"error":/.test(sent)) break; // which also cancels it
  }
  return sent;
}

const noLimits = Object.fromEntries(Object.keys(rateLimits).map((name) => [name, null])) as RateLimits;

function matrix(name: string, open: () => Promise<RunningApi>, isTried: (pair: number) => boolean): void {
  describe(`every procedure by every caller on ${name}`, () => {
    let api: RunningApi;
    let owner: Login;
    let holder: Login;
    let operator: Login;
    let stranger: Login;
    let members: Record<Role, Login>;
    let there: string;
    let pair = 0;
    /** The tokens that reach all repositories, or another one; made once, because one user has so many at most. */
    const lasting = new Map<string, Record<string, string>>();

    beforeAll(async () => {
      api = await open();
      [owner, holder, operator, stranger] = [
        await api.login(),
        await api.login(),
        await api.login(),
        await api.login(),
      ];
      await api.stores.users.grantOperator(operator.user.id);
      const made = await Promise.all(roles.map(async (role) => [role, await api.login()] as const));
      members = Object.fromEntries(made) as Record<Role, Login>;
      there = (await api.repo(holder, { url: `https://example.test/acme/${THERE}`, instructions: THERE })).id;
      await api.issue(holder, { repo_id: there, title: THERE, body: THERE });
    });
    afterAll(() => api[Symbol.asyncDispose]());

    async function tokenOf(given: Partial<NewApiToken> & Pick<NewApiToken, 'userId'>, ended?: 'expired' | 'revoked') {
      const text = renderApiToken(crypto.getRandomValues(new Uint8Array(32)));
      const expiresAt = new Date(Date.now() + (ended === 'expired' ? -1 : HOUR_MS));
      const token = aNewApiToken({ expiresAt, hash: hashApiToken(text), ...given });
      expect((await api.stores.apiTokens.create(token)).kind).toBe('created');
      if (ended === 'revoked') await api.stores.apiTokens.revoke(token.id);
      return { authorization: `Bearer ${text}` };
    }

    /** A new repository for each procedure: a caller may remove it. */
    async function build(): Promise<World> {
      const { id: repo } = await api.repo(owner, {
        url: `https://example.test/acme/${HERE}-${newId()}`,
        instructions: HERE,
      });
      const repoId = repo as RepoId;
      for (const [role, { user }] of [...Object.entries(members), ['admin', holder] as const]) {
        await api.stores.members.put({ repoId, userId: user.id, role: role as Role, origin: 'added' });
      }
      const { id: issue } = await api.issue(owner, { repo_id: repo, title: HERE, body: HERE });
      const userId = holder.user.id;
      const callers: Caller[] = [
        { name: 'an anonymous caller', headers: {}, role: null },
        { name: 'a stranger', headers: { cookie: stranger.cookie }, role: null },
        { name: 'an operator', headers: { cookie: operator.cookie }, role: null },
      ];
      const add = async (
        name: string,
        given: Partial<NewApiToken> & Pick<NewApiToken, 'scope' | 'userId'>,
        more: Partial<Caller['token']> & { role?: Role | null } = {},
      ) => {
        const { role = scopeRoles[given.scope], ...token } = more;
        const headers = lasting.get(name) ?? (await tokenOf(given, token.ended as 'expired' | 'revoked' | undefined));
        if (token.reach !== 'here') lasting.set(name, headers);
        callers.push({ name, headers, role, token: { scope: given.scope, reach: 'all', ...token } });
      };
      for (const ended of ['expired', 'revoked'])
        await add(`an ${ended} token`, { userId, scope: 'admin' }, { ended, role: null });
      await add(
        'a token of another repository',
        { userId, scope: 'admin', repoId: there as RepoId },
        { reach: 'there', role: null },
      );
      await add('a token of a stranger', { userId: stranger.user.id, scope: 'admin' }, { role: null });
      await add('a token of a viewer', { userId: members.viewer.user.id, scope: 'admin' }, { role: 'viewer' });
      for (const role of roles) {
        const scope = scopeOf(role);
        // The narrow one first: it goes with the repository.
        await add(`a ${scope} token of this repository`, { userId, scope, repoId }, { reach: 'here' });
        await add(`a ${scope} token`, { userId, scope });
        callers.push({ name: `a session of the role ${role}`, headers: { cookie: members[role].cookie }, role });
      }
      return { repo, issue, callers };
    }

    it.each(forUsers.map((route) => [route.name, route] as const))('%s', async (_, route) => {
      const world = await build();
      /** What sessions came to, by their roles. */
      const outcomes = new Map<Role | null, string>();
      const seen: [Caller, string, string][] = [];
      for (const caller of world.callers) {
        const isSession = caller.token === undefined && caller.headers.cookie !== undefined;
        // These act on the account: their tests are elsewhere, and some would end the session that is needed here.
        if (isSession && route.meta.token === undefined) continue;
        pair += 1;
        if (!isSession && !isTried(pair)) continue;
        for (const transport of ['REST', 'tRPC'] as const) {
          const { code, text } = await ask(route, world, { caller, transport });
          const who = `${caller.name} over ${transport}`;
          if (caller.role === null && !route.path.startsWith('/admin/')) expect(text, who).not.toContain(HERE);
          if (caller.token?.reach === 'here') expect(text, who).not.toContain(THERE);
          if (caller.token?.reach === 'here') expect(text, who).not.toContain(there);
          if (isSession && caller.name !== 'an operator') outcomes.set(caller.role, code);
          seen.push([caller, who, code]);
        }
      }
      for (const [caller, who, code] of seen) expect(code, who).toBe(expected(route, caller, outcomes));
      const left = await api.stores.apiTokens.list({ repoId: world.repo as RepoId }, { limit: 100, cursor: null });
      for (const { token } of left.items) await api.stores.apiTokens.revoke(token.id);
    });

    function expected(
      { meta, path }: Route,
      { name, headers, role, token }: Caller,
      outcomes: Map<Role | null, string>,
    ) {
      const ofOperators = path.startsWith('/admin/');
      if (token === undefined) {
        if (headers.cookie === undefined) return 'session_missing';
        if (ofOperators) return name === 'an operator' ? 'passes' : 'operator_required';
        return outcomes.get(role);
      }
      if (token.ended !== undefined) return token.ended === 'expired' ? 'token_expired' : 'token_invalid';
      if (meta.token === undefined) return 'session_required';
      const isTooLow = tokenScopes.indexOf(token.scope) < tokenScopes.indexOf(meta.token.scope);
      if (isTooLow || (meta.token.reach === 'account' && token.reach !== 'all')) return 'token_scope_insufficient';
      if (ofOperators) return 'operator_required';
      const ofSession = outcomes.get(role);
      const isLimit = role !== null && scopeRoles[token.scope] === role && token.scope !== 'admin';
      return ofSession === 'role_insufficient' && isLimit && name !== 'a token of a viewer'
        ? 'token_scope_insufficient'
        : ofSession;
    }

    async function ask(
      { name, method, path, params, meta }: Route,
      { repo, issue }: World,
      { caller, transport }: { caller: Caller; transport: 'REST' | 'tRPC' },
    ): Promise<{ code: string; text: string }> {
      const example = (meta.example?.body ?? {}) as Record<string, unknown>;
      const body = { ...example, ...('repo_id' in example ? { repo_id: repo } : {}) };
      const ids = Object.fromEntries(
        params.map((param) => [
          param,
          param !== 'id' ? newId() : path.startsWith('/issues') ? issue : path.startsWith('/repos') ? repo : newId(),
        ]),
      );
      const query = path.endsWith('/search')
        ? { q: 'sum' }
        : /^\/(outcomes|audit)$/.test(path)
          ? { repo_id: repo }
          : {};
      const isRead = method === 'GET';
      const init = { method, headers: { ...caller.headers } as Record<string, string>, redirect: 'manual' as const };
      let target = `/api${path.replaceAll(/\{(\w+)\}/g, (_, param: string) => String(ids[param]))}?${new URLSearchParams(query)}`;
      let sent: unknown = isRead || method === 'DELETE' ? undefined : body;
      if (transport === 'tRPC') {
        const input = { ...ids, ...query, ...(isRead ? {} : method === 'DELETE' ? {} : body) };
        init.method = isRead ? 'GET' : 'POST';
        target = `/api/trpc/${name}${isRead ? `?input=${encodeURIComponent(JSON.stringify(input))}` : ''}`;
        sent = isRead ? undefined : input;
      }
      if (sent !== undefined) init.headers['content-type'] = 'application/json';
      const answer = await fetch(`${api.url}${target}`, {
        ...init,
        ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
      });
      const head = [...answer.headers.values()].join();
      if (answer.headers.get('content-type')?.startsWith('text/event-stream') && answer.status === 200) {
        const sent = await firstOf(answer);
        const [, refusal] = /"error":\{[^}]*"code":"(\w+)"/.exec(sent) ?? []; // tRPC sends a refusal as an event
        return { code: refusal ?? 'passes', text: head + sent };
      }
      const text = await answer.text();
      const parsed =
        text === '' ? {} : (JSON.parse(text) as { code?: string; error?: { data: { error: { code: string } } } });
      const code = parsed.error?.data.error.code ?? parsed.code ?? '';
      const isRefused =
        (answer.status === 401 || answer.status === 403) && /^(session_|token_|not_owner|role_|operator_)/.test(code);
      expect(answer.status, text).toBeLessThan(500);
      return { code: isRefused ? code : 'passes', text: head + text };
    }

    it('shows a token of one repository nothing of another one in a stream of everything', async () => {
      const { issue, callers, repo } = await build();
      const headers = callers.find(({ name }) => name === 'a read token of this repository')?.headers ?? {};
      await using stream = await openStream(`${api.url}/api/events?after=0`, headers);
      await eventually(() => expect(stream.raw()).toContain(issue));
      const [elsewhere, here] = [
        await api.issue(holder),
        await api.call('DELETE', `/api/issues/${issue}`, { as: owner }),
      ];
      expect(here.status).toBe(204);
      await eventually(() => expect(stream.raw()).toContain('cancelled'));
      expect(stream.raw()).not.toContain(elsewhere.id);
      expect(stream.raw()).not.toContain(there);
      expect(repo).not.toBe(there);
    });
  });
}

it('leaves no procedure out, and needs a session unless a procedure says otherwise', () => {
  const names = Object.keys(appRouter._def.procedures);
  expect(routes.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  const account = forUsers.filter(({ meta }) => meta.token === undefined).map(({ path }) => path);
  for (const path of account)
    expect(path).toMatch(
      /^\/(auth|tokens|notifications|budgets|admin\/(budgets|users\/\{user_id\}\/second-factors)|repos\/\{id\}\/(tokens|budget))/,
    );
  expect(byTokens.length).toBeGreaterThan(30);
});

const setup = { takesApiTokens: true, maxActivePipelines: 900, ports: { limiter: createMemoryLimiter(noLimits) } };
matrix(
  'SQLite',
  () => startApi(setup),
  () => true,
);

describe('on Postgres', () => {
  let server: PostgresDatabases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());
  // The engines differ in how they find rows; a sample shows that a role is read there too.
  matrix(
    'Postgres',
    async () => {
      const url = await migratedDatabase(server);
      return await startApi({ ...setup, openStores: (options) => openStoresAt(url, options) });
    },
    (pair) => isSoakRun || pair % 12 === 0,
  );
});
