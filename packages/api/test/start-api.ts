import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Session, TokenCipher, User } from '@sluice/core/account';
import type { Clock } from '@sluice/core/async';
import type { PictureCodec } from '@sluice/core/attachment';
import { createCodeHostTokens } from '@sluice/core/code-host';
import type { CodeIndex } from '@sluice/core/code-search';
import { AppError } from '@sluice/core/error';
import type { IssueId, SessionId } from '@sluice/core/id';
import type { UnsubscribeTokens } from '@sluice/core/notification';
import type { HealthCheck } from '@sluice/core/operation';
import type { ChangeRequestKey } from '@sluice/core/outcome';
import type { Budget, Gate, Plan } from '@sluice/core/pipeline';
import type { BaseBranches, RemoteFacts, RemoteInspector } from '@sluice/core/workspace';
import type { OpenOptions, Stores } from '@sluice/db';
import { openScratch } from '@sluice/db/scratch';
import { createMemoryLimiter, createProcessSignals, type ProcessSignals } from '@sluice/redis';
import { aGate, aNewUser, aPlan, newId } from '@sluice/testing';
import { createApi } from '../src/create-api.ts';
import { createSessionTokens } from '../src/identity/session/session-tokens.ts';
import type { ApiDeps, ApiOptions, HealthChecks } from '../src/service/api-deps.ts';
import type { ConsoleFiles } from '../src/service/console-files.ts';
import { createHttpServer } from '../src/transport/http/http-server.ts';
import { builtinFacts } from './builtin-facts.ts';
import { requireListed } from './listed-codes.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON of the answer, null when it has none. Tests say what they expect of it. */
  readonly body: Record<string, unknown>;
}

export interface Login {
  readonly user: User;
  readonly cookie: string;
  readonly sessionId: SessionId;
  readonly session: Session;
}

interface CallOptions {
  readonly as?: Login | undefined;
  /** The text of an API token, instead of a session. */
  readonly by?: string | undefined;
  readonly json?: unknown;
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Record<string, string>;
}

export interface Setup extends Partial<Omit<ApiOptions, 'publicUrl'>> {
  readonly publicUrl?: URL;
  readonly health?: Partial<HealthChecks>;
  readonly remotes?: RemoteInspector;
  readonly bases?: BaseBranches;
  readonly codeIndex?: Pick<CodeIndex, 'search'>;
  readonly budget?: Budget;
  readonly budgetIsFixed?: boolean;
  readonly clock?: Clock;
  readonly maxActivePipelines?: number;
  readonly console?: ConsoleFiles;
  /** Other stores than those of a scratch database of SQLite. */
  readonly openStores?: (options: OpenOptions) => Promise<Stores>;
  /** Ports instead of the usual ones: the code host, where a test has one. */
  readonly ports?: Partial<
    Pick<
      ApiDeps,
      | 'accountMailer'
      | 'codehost'
      | 'codehostTokens'
      | 'codehostInbox'
      | 'oidc'
      | 'limiter'
      | 'notificationRules'
      | 'pictures'
    >
  >;
}

export interface RunningApi extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  readonly deps: ApiDeps;
  readonly options: ApiOptions;
  readonly stores: Stores;
  readonly signals: ProcessSignals;
  /** The lines of the log, by level. */
  readonly logged: { level: string; fields: Record<string, unknown>; message: string }[];
  closeStreams(): void;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** A user with a live session, made in the stores: sign-in has a limit, and its own tests. */
  login(overrides?: Partial<User>): Promise<Login>;
  /** Another session of the same user. */
  otherSession(as: Pick<Login, 'user'>): Promise<Login>;
  repo(as: Login, overrides?: Record<string, unknown>): Promise<Record<string, unknown> & { id: string }>;
  issue(as: Login, overrides?: Record<string, unknown>): Promise<Record<string, unknown> & { id: string }>;
  /** Brings a running issue to the point where its plan awaits approval. */
  toGate(issueId: string, plan?: Plan, gate?: Partial<Gate>): Promise<void>;
  /** Ends a running issue as failed. */
  fail(issueId: string): Promise<void>;
  /** Ends a running issue with an open pull request of that number. */
  publish(issueId: string, number: number): Promise<ChangeRequestKey>;
}

const UP: HealthCheck = { check: async (signal) => signal.throwIfAborted() };

/** Remotes that answer by their name: `…/absent` is unreachable, `…/hang` answers only to the signal. */
export const scriptedRemotes: RemoteInspector = {
  inspect: async ({ url }, signal): Promise<RemoteFacts> => {
    if (!URL.canParse(url)) throw new AppError('remote_refused', { detail: 'That is no URL.' });
    if (url.endsWith('/absent')) throw new AppError('repo_unreachable', { detail: 'The remote says: not found.' });
    if (url.startsWith('https://127.')) throw new AppError('remote_refused', { detail: 'That is a private address.' });
    if (url.endsWith('/hang')) {
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    }
    const name = new URL(url).pathname.slice(1);
    return { url, canonicalRemote: url.toLowerCase(), name, defaultBranch: 'main', branches: ['main', 'next'] };
  },
};

/** Draws nothing: a picture that begins like one is taken as it is. */
const scriptedPictures: PictureCodec = {
  async draw({ content, mediaType }) {
    if (content[0] !== 0x89) throw new AppError('attachment_unreadable');
    return { content, mediaType, width: 20, height: 10 };
  },
};

/** Base branches without new commits. */
const restingBases: BaseBranches = { since: async ({ baseCommit }) => ({ tip: baseCommit, changed: [] }) };

/** An index in which nothing is yet. */
const emptyIndex: Pick<CodeIndex, 'search'> = { search: async () => [] };

const UNLIMITED: Budget = { tokens: null, cost_usd: null, active_ms: null };

/** Seals so that a test can see that it was done. */
const cipher: TokenCipher = {
  encrypt: ({ userId }, token) => ({
    encrypted: `k1:${Buffer.from(`${userId}:${token}`).toString('base64')}`,
    nonce: 'bm9uY2U=',
  }),
  decrypt: ({ userId }, { encrypted }) =>
    Buffer.from(encrypted.slice(3), 'base64')
      .toString()
      .slice(userId.length + 1),
};

/** Tokens that a test can read. */
const namingTokens: UnsubscribeTokens = {
  issue: (targetId) => `off:${targetId}`,
  read: (token) => (token.startsWith('off:') ? token.slice(4) : null),
};

/** The api on a listening server over a scratch database. */
export async function startApi(setup: Setup = {}): Promise<RunningApi> {
  const {
    health,
    remotes,
    bases,
    codeIndex,
    budget,
    budgetIsFixed,
    clock: givenClock,
    maxActivePipelines,
    openStores,
    ports,
    console,
    ...given
  } = setup;
  const clock = givenClock ?? { now: () => new Date() };
  const signals = createProcessSignals();
  const stores = await (openStores ?? openScratch)({
    clock,
    maxActivePipelines: maxActivePipelines ?? 5,
    onEvents: (hint) => signals.eventsWritten(hint),
  });
  const logged: RunningApi['logged'] = [];
  const logAt = (level: string) => (fields: object, message: string) => {
    logged.push({ level, fields: fields as Record<string, unknown>, message });
  };
  const deps: ApiDeps = {
    ...stores,
    limiter: createMemoryLimiter(),
    signals,
    pictures: scriptedPictures,
    remotes: remotes ?? scriptedRemotes,
    bases: bases ?? restingBases,
    codeIndex: codeIndex ?? emptyIndex,
    budget: budget ?? UNLIMITED,
    budgetIsFixed: budgetIsFixed ?? false,
    cipher,
    notificationRules: { allowHosts: [], sendsEmail: true, newSecret: () => `whsec_${newId()}` },
    unsubscribeTokens: namingTokens,
    accountMailer: null,
    codehost: null,
    oidc: [],
    codehostTokens: ports?.codehost
      ? createCodeHostTokens({ links: stores.codehostLinks, cipher, identity: ports.codehost.identity, clock })
      : null,
    ...ports,
    clock,
    ids: { next: () => newId() },
    console: console ?? null,
    health: { database: stores.health, cache: UP, vector_store: UP, ...health },
    log: { info: logAt('info'), warn: logAt('warn'), error: logAt('error') },
  };
  const server = createHttpServer();
  // By itself Node lets go of a quiet connection after 5 s, and on a busy machine a client asks on it at that very moment.
  server.keepAliveTimeout = 120_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const options: ApiOptions = {
    publicUrl: new URL(url),
    corsOrigins: [],
    sessionSecret: new Uint8Array(32).fill(7),
    sessionTtlMs: 3_600_000,
    registration: 'open',
    localReposFor: 'operators',
    securityContact: null,
    trustProxy: [],
    version: '0.0.0',
    facts: builtinFacts,
    configuration: [],
    ...given,
  };
  const api = createApi(deps, options);
  api.serve(server);
  const tokens = createSessionTokens({ clock }, options.sessionSecret);

  const openSession = async (user: User): Promise<Login> => {
    const expiresAt = new Date(clock.now().getTime() + options.sessionTtlMs);
    const session = await stores.sessions.create({ id: newId<SessionId>(), userId: user.id, expiresAt });
    if (session === null) throw new Error('The session was not given.');
    return { user, session, sessionId: session.id, cookie: `access_token=${await tokens.sign(session)}` };
  };

  const running: RunningApi = {
    url,
    port,
    server,
    deps,
    options,
    stores,
    signals,
    logged,
    closeStreams: api.closeStreams,
    call: async (method, path, { as, by, json, raw, headers = {} } = {}) => {
      const body = raw ?? (json === undefined ? undefined : JSON.stringify(json));
      const response = await fetch(url + path, {
        method,
        redirect: 'manual',
        headers: {
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...(as === undefined ? {} : { cookie: as.cookie }),
          ...(by === undefined ? {} : { authorization: `Bearer ${by}` }),
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
      const parsed = isJson && text !== '' ? JSON.parse(text) : null;
      if (response.status >= 400 && parsed !== null) requireListed({ method, path }, parsed);
      return { status: response.status, headers: response.headers, text, body: parsed };
    },
    login: async (overrides = {}) => {
      const outcome = await stores.users.create({ ...aNewUser(), ...pick(overrides) });
      if (outcome.kind !== 'created') throw new Error(`The user was not created: ${outcome.kind}`);
      return openSession(outcome.user);
    },
    otherSession: ({ user }) => openSession(user),
    repo: async (as, overrides = {}) => {
      const json = { url: `https://example.test/acme/${newId()}`, ...overrides };
      return expectCreated(await running.call('POST', '/api/repos', { as, json }));
    },
    issue: async (as, overrides = {}) => {
      const repo_id = overrides.repo_id ?? (await running.repo(as)).id;
      const json = { title: 'Sum ignores its last argument', body: 'sum(1, 2, 3) gives 3.', ...overrides, repo_id };
      return expectCreated(await running.call('POST', '/api/issues', { as, json }));
    },
    toGate: async (issueId, plan = aPlan(), gate = {}) => {
      await applied(stores, {
        issueId: issueId as IssueId,
        from: { status: 'running' },
        trigger: 'plan_completed',
        set: { stage: 'human_review' },
        plan,
        events: [{ type: 'plan.created', data: { plan } }],
      });
      await applied(stores, {
        issueId: issueId as IssueId,
        from: { status: 'human_review' },
        trigger: 'review_opened',
        set: { gate: aGate({ revision: plan.revision, ...gate }) },
        events: [{ type: 'review.requested', data: { revision: plan.revision } }],
      });
    },
    fail: async (issueId) => {
      await applied(stores, {
        issueId: issueId as IssueId,
        from: { status: 'running' },
        trigger: 'gave_up',
        set: { error: { stage: 'plan', detail: 'It gave up.' } },
        events: [],
      });
    },
    publish: async (issueId, number) => {
      await applied(stores, {
        issueId: issueId as IssueId,
        from: { status: 'running' },
        trigger: 'published',
        set: { changeRequest: { number, state: 'open' } },
        events: [],
      });
      const issue = await stores.issues.get(issueId as IssueId);
      if (issue === null) throw new Error('The issue is gone.');
      return { repoId: issue.repoId, number };
    },
    [Symbol.asyncDispose]: async () => {
      api.closeStreams();
      server.close();
      server.closeAllConnections();
      await stores.close();
    },
  };
  return running;
}

function pick({ id, email, name }: Partial<User>) {
  return { ...(id === undefined ? {} : { id }), ...(email ? { email } : {}), ...(name ? { name } : {}) };
}

function expectCreated(answer: Answer) {
  if (answer.status !== 201) throw new Error(`Expected 201 and got ${answer.status}: ${answer.text}`);
  return answer.body as Record<string, unknown> & { id: string };
}

async function applied(stores: Stores, change: Parameters<Stores['issues']['apply']>[0]): Promise<void> {
  const outcome = await stores.issues.apply(change);
  if (outcome.kind !== 'applied') throw new Error(`${change.trigger} was not applied: ${outcome.kind}`);
}
