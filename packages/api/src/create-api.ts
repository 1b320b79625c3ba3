import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { AppError } from '@sluice/core/error';
import cors from 'cors';
import express, { type Request, type Response } from 'express';
import { serveConsole } from './console/serve-console.ts';
import { isDocs, serveDocs } from './docs/serve-docs.ts';
import { isFront, serveFront } from './docs/serve-front.ts';
import { isSecurityTxt, serveSecurityTxt } from './docs/serve-security-txt.ts';
import { type FindPath, unknownPath } from './docs/unknown-path.ts';
import { createIssueFeed } from './feed/issue-feed.ts';
import { createAccountMails } from './identity/login/account-mails.ts';
import { createFailedLoginCounts } from './identity/login/failed-login-counts.ts';
import { createLoginDelay } from './identity/login/login-delay.ts';
import { createPasswords } from './identity/login/passwords.ts';
import { BACKCHANNEL_LOGOUT_PATH, takeLogouts } from './identity/oidc/take-logout.ts';
import { createSessionWatch } from './identity/session/session-idleness.ts';
import { createSessionTokens } from './identity/session/session-tokens.ts';
import { createTokenUse } from './identity/session/token-use.ts';
import { takeUnsubscriptions, UNSUBSCRIBE_PATH } from './notifications/take-unsubscription.ts';
import { openApiDocument } from './openapi/openapi-document.ts';
import type { ApiService } from './procedure/request-context.ts';
import type { ApiDeps, ApiOptions } from './service/api-deps.ts';
import { logAccess } from './transport/http/access-log.ts';
import { clientAddressOf } from './transport/http/client-address.ts';
import { createClientErrors } from './transport/http/client-error.ts';
import { answerAll } from './transport/http/http-server.ts';
import { allowedOrigins, checkOrigin } from './transport/http/origins.ts';
import { pathOfTarget } from './transport/http/request-target.ts';
import { securityHeaders } from './transport/http/security-headers.ts';
import { logFault, sendError } from './transport/http/send.ts';
import { createFindRoute } from './transport/rest/find-route.ts';
import { createRestHandler } from './transport/rest/rest-handler.ts';
import { type Route, routeTable } from './transport/rest/route-table.ts';
import { appRouter } from './transport/trpc/app-router.ts';
import { createTrpcHandler } from './transport/trpc/trpc-handler.ts';
import { takeDeliveries, WEBHOOK_PATH } from './webhook/take-delivery.ts';

export interface Api {
  /** Answers everything that comes in at a server that `createHttpServer` made. */
  readonly serve: (server: Server) => void;
  /** Ends every open stream and refuses new ones, for a shutdown. Clients reconnect by themselves. */
  readonly closeStreams: () => void;
  /** Writes what was counted beside the requests. Call it after the last request and before the stores close. */
  readonly settle: () => Promise<void>;
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
const HEALTH = /^\/api\/health(?:\/|\?|$)/;
const PREFLIGHT_SECONDS = 600;
const exposedHeaders = [
  'ETag',
  'Idempotency-Replayed',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Request-Id',
];

/**
 * The whole api for one server: REST at `/api`, tRPC at `/api/trpc`, the OpenAPI document at `/api/openapi.json` and a page
 * to read and try it at `/api/docs`.
 *
 * @throws Error when an option is unusable: a short secret, an origin or proxy that does not parse
 */
export function createApi(deps: ApiDeps, options: ApiOptions): Api {
  const service: ApiService = {
    ...deps,
    options,
    tokens: createSessionTokens(deps, options.sessionSecret),
    passwords: createPasswords(),
    loginDelay: createLoginDelay(deps.limiter),
    failedLogins: createFailedLoginCounts(deps),
    accountMails: createAccountMails(deps),
    verifiesEmail: deps.accountMailer !== null,
    issueFeed: createIssueFeed(deps),
    noteSeen: createSessionWatch({ ...deps, options }),
    noteTokenUse: createTokenUse(deps),
  };
  const fixed = securityHeaders(options);
  const clientErrors = createClientErrors(fixed);
  const routes = routeTable(appRouter);
  const findPath = createFindPath(routes);
  const app = createApp(service, routes);
  const handler: RequestListener = (req, res) => {
    clientErrors.watch(req.socket, res);
    const requestId = requestIdOf(req);
    res.setHeader('X-Request-Id', requestId);
    for (const [name, value] of fixed) res.setHeader(name, value);
    const target = pathOfTarget(req.url ?? '');
    if (target === null) {
      sendError(res, new AppError('route_not_found'), requestId);
      return;
    }
    if (options.healthOnly === true && !HEALTH.test(target)) {
      const detail = 'This process is a worker and serves /api/health only: use one whose ROLE is api or all.';
      sendError(res, new AppError('route_not_found', { detail }), requestId);
      return;
    }
    req.url = target;
    // Everything that no route answered or that a route threw ends here; Express itself would answer in HTML.
    app(req as Request, res as Response, (thrown?: unknown) => {
      if (res.destroyed) return; // the client has left
      const error = isUnknownPath(thrown) ? unknownPath(target.split('?', 1)[0] ?? '', findPath) : thrown;
      logFault(deps.log, error, { request_id: requestId, procedure: (res as Response).locals.procedure });
      sendError(res, error, requestId);
    });
  };

  return {
    serve: (server) => answerAll(server, { handler, clientErrors }),
    closeStreams: service.issueFeed.close,
    settle: async () => {
      await service.accountMails.settle();
      await service.failedLogins.flush();
    },
  };
}

/** Whether no route answered, or none of REST did. */
function isUnknownPath(thrown: unknown): boolean {
  if (thrown === undefined) return true;
  return thrown instanceof AppError && thrown.code === 'route_not_found' && thrown.details.detail === undefined;
}

/** Finds what `unknownPath` may name. */
function createFindPath(routes: readonly Route[]): FindPath {
  const findRoute = createFindRoute(routes);
  return (path) => {
    if (!path.startsWith('/api/')) return null;
    const found = (['GET', 'POST', 'PATCH', 'DELETE'] as const).map((method) => findRoute(method, path.slice(4)));
    const route = found.find((one) => one !== null && 'route' in one);
    return route !== undefined && route !== null && 'route' in route ? `/api${route.route.path}` : null;
  };
}

function createApp(service: ApiService, routes: readonly Route[]): express.Express {
  const { options, log } = service;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag'); // only some answers have one
  app.set('query parser', false);
  app.set('trust proxy', options.trustProxy.length === 0 ? false : [...options.trustProxy]);
  app.set('case sensitive routing', true);
  app.set('strict routing', true);

  const addressOf = clientAddressOf(options);
  app.use((req, res, next) => {
    const requestId = String(res.getHeader('X-Request-Id'));
    logAccess(log, { req, res }, { requestId, ip: addressOf(req) });
    res.setHeader('Cache-Control', 'no-store');
    next();
  });
  // Before the origin is checked: deliveries are known by their signature and need no cookie that a page could misuse.
  app.all(WEBHOOK_PATH, takeDeliveries(service));
  // Likewise: logouts are known by the signature of their token.
  app.all(BACKCHANNEL_LOGOUT_PATH, takeLogouts(service));
  // Likewise: the token in their address is the permission, and mail programs may send any origin.
  app.all(UNSUBSCRIBE_PATH, takeUnsubscriptions(service));
  const origins = allowedOrigins(options);
  const answerCors = cors({
    origin: (origin, allow) => allow(null, origin !== undefined && origins.has(origin)),
    credentials: true,
    exposedHeaders,
    maxAge: PREFLIGHT_SECONDS,
  });
  app.use(
    (req, res, next) => {
      res.vary('Origin');
      // Programs send no origin, and there is nothing to tell them.
      if (req.headers.origin === undefined && req.method !== 'OPTIONS') next();
      else answerCors(req, res, next);
    },
    checkOrigin(origins, options),
  );

  const docs = serveDocs(() => JSON.stringify(openApiDocument(options)));
  app.use((req, res, next) => (isDocs(req.url) ? docs(req, res, next) : next()));
  if (service.console !== null) app.use(serveConsole(service.console));
  const securityTxt = serveSecurityTxt({ ...options, contact: options.securityContact, clock: service.clock });
  app.use((req, res, next) => (isSecurityTxt(req.url) ? securityTxt(req, res, next) : next()));
  const { registration, publicUrl } = options;
  const front = serveFront({ registration, url: publicUrl.origin });
  app.use((req, res, next) => (isFront(req.url) ? front(req, res, next) : next()));
  app.use('/api/trpc', createTrpcHandler(service, new Set(routes.map(({ name }) => name))));
  app.use('/api', createRestHandler(service, routes));
  return app;
}

function requestIdOf(req: IncomingMessage): string {
  const given = req.headers['x-request-id'];
  // Nothing sorts by it, so it need not begin with the time: Node makes a random one for a tenth of the cost.
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}
