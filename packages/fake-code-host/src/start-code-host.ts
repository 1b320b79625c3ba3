import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '@sluice/core/async';
import { gitRoutes } from './git/git-backend.ts';
import { type ArmedFault, type FaultRule, openFaultBook } from './http/fault.ts';
import { type FileOrigin, openFileOrigin } from './http/file-origin.ts';
import { type LogOrigin, openLogOrigin } from './http/log-origin.ts';
import { openRateLimit } from './http/rate-limit.ts';
import type { SeenRequest } from './http/seen-request.ts';
import { authorizeRoutes } from './oauth/oauth-authorize.ts';
import { revokeRoutes } from './oauth/oauth-revoke.ts';
import { tokenRoutes } from './oauth/oauth-token.ts';
import { walkSignIn } from './oauth/walk-sign-in.ts';
import { type CodeHostPeople, codeHostPeople } from './people/code-host-people.ts';
import { buildRoutes } from './rest/rest-builds.ts';
import { commitRoutes } from './rest/rest-commits.ts';
import { graphRoutes } from './rest/rest-graphql.ts';
import { issueRoutes } from './rest/rest-issues.ts';
import { pullRoutes } from './rest/rest-pulls.ts';
import { repoRoutes } from './rest/rest-repos.ts';
import { searchRoutes } from './rest/rest-search.ts';
import { type RequestHook, type Serving, serveRequest } from './serve-request.ts';
import type { HostState } from './state/host-state.ts';
import type { OAuthApp } from './state/oauth-app.ts';
import { mintSecret, openTokenBook } from './state/token-book.ts';
import { type HostWebhooks, openWebhooks } from './webhooks.ts';

export interface CodeHostOptions {
  /** The prefix of the API; an installation's own is `/api/v3`, which is the default. */
  readonly apiPrefix?: string;
  /** In addresses. With `localhost` a service on 127.0.0.1 is another site to a browser. */
  readonly hostname?: '127.0.0.1' | 'localhost';
  readonly clock?: Clock;
  readonly redirectUris?: readonly string[];
  /** Tokens that end, with refresh tokens for one use each; null: tokens that last. */
  readonly tokenExpiry?: { readonly accessSeconds: number; readonly refreshSeconds: number } | null;
  readonly sendsIssuer?: boolean;
  /** Whether a person is asked at every sign-in, or only the first time. */
  readonly asksAlways?: boolean;
  /** Requests an hour for each token. */
  readonly hourlyLimit?: number;
  /** Makes the secrets; what it makes must be unique. */
  readonly mint?: (prefix: string) => string;
}

/** A code host on loopback, for tests: accounts, repositories, issues and pull requests, kept in memory. */
export interface FakeCodeHost extends CodeHostPeople, AsyncDisposable {
  /** Web addresses and git: `CODEHOST_URL`. */
  readonly url: string;
  /** `CODEHOST_API_URL` */
  readonly apiUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  allowRedirectTo(uri: string): void;
  /** Goes through the host's sign-in as a browser does. @returns where the browser is sent */
  walkSignIn(authorizationUrl: string, who: { login: string; deny?: boolean }): Promise<string>;
  /** Makes a request, or several, go wrong. Rules are tried in the order they came. */
  arm(rule: FaultRule): ArmedFault;
  /** Called before the work on a request. @returns how to end that */
  onRequest(hook: RequestHook): () => void;
  /** Called when the work is done and nothing is answered yet. @returns how to end that */
  beforeAnswer(hook: RequestHook): () => void;
  /** Every request so far, oldest first. */
  readonly requests: readonly SeenRequest[];
  readonly webhooks: HostWebhooks;
  /** The second origin, where the logs of jobs are. */
  readonly logs: Omit<LogOrigin, 'addressOf' | typeof Symbol.asyncDispose>;
  /** Another origin, where the files of issues are: `CODEHOST_FILE_ORIGINS`. */
  readonly files: Omit<FileOrigin, 'signed' | typeof Symbol.asyncDispose>;
}

const HOURLY_LIMIT = 5000;
const SEARCHES_A_MINUTE = 30;

export async function startCodeHost(options: CodeHostOptions = {}): Promise<FakeCodeHost> {
  const { apiPrefix = '/api/v3', hostname = '127.0.0.1', clock = { now: () => new Date() } } = options;
  const mint = options.mint ?? mintSecret;
  const root = mkdtempSync(join(tmpdir(), 'sluice-codehost-'));
  // By itself Node lets go of a quiet connection after 5 s, and on a busy machine a client asks on it at that very moment.
  const server = createServer({ keepAliveTimeout: 120_000 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const webUrl = `http://${hostname}:${(server.address() as AddressInfo).port}`;
  let lastId = 1000;
  const webhooks = openWebhooks(() => host);
  const logs = await openLogOrigin();
  const files = await openFileOrigin(webUrl);
  const host: HostState = {
    clock,
    webUrl,
    apiUrl: `${webUrl}${apiPrefix}`,
    users: [],
    repos: [],
    tokens: openTokenBook({ clock, expiry: options.tokenExpiry ?? null, mint }),
    logs,
    files,
    nextId: () => ++lastId,
    emit: (event) => webhooks.tell(event),
  };
  const app: OAuthApp = {
    clientId: 'Iv1.sluice',
    clientSecret: mint('secret_'),
    redirectUris: [...(options.redirectUris ?? [])],
    sendsIssuer: options.sendsIssuer ?? false,
    asksAlways: options.asksAlways ?? false,
    codes: new Map(),
    consents: new Set(),
    mint,
  };
  const serving: Serving = {
    host,
    apiPrefix,
    apiRoutes: [
      ...repoRoutes,
      ...issueRoutes,
      ...pullRoutes,
      ...buildRoutes,
      ...commitRoutes,
      ...graphRoutes,
      ...searchRoutes,
      ...revokeRoutes(app),
    ],
    webRoutes: [...authorizeRoutes(app), ...tokenRoutes(app), ...gitRoutes],
    faults: openFaultBook(),
    rateLimit: openRateLimit(clock, {
      resource: 'core',
      limit: options.hourlyLimit ?? HOURLY_LIMIT,
      windowMs: 3_600_000,
    }),
    searchLimit: openRateLimit(clock, { resource: 'search', limit: SEARCHES_A_MINUTE, windowMs: 60_000 }),
    requests: [],
    onRequest: new Set(),
    beforeAnswer: new Set(),
  };
  const listen = (hooks: Set<RequestHook>) => (hook: RequestHook) => {
    hooks.add(hook);
    return () => void hooks.delete(hook);
  };
  server.on('request', (request, response) => {
    serveRequest(serving, request, response).catch((error: unknown) => {
      // A fault of the fake itself must be seen, not taken for one of the host's.
      console.error('code host:', error);
      response.destroy();
    });
  });
  return {
    ...codeHostPeople({ host, root, app }),
    url: webUrl,
    apiUrl: host.apiUrl,
    clientId: app.clientId,
    clientSecret: app.clientSecret,
    allowRedirectTo: (uri) => void app.redirectUris.push(uri),
    walkSignIn,
    arm: serving.faults.arm,
    onRequest: listen(serving.onRequest),
    beforeAnswer: listen(serving.beforeAnswer),
    requests: serving.requests,
    webhooks,
    logs,
    files,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await logs[Symbol.asyncDispose]();
      await files[Symbol.asyncDispose]();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
