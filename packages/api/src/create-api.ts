import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { AppError } from '@sluice/core';
import cors from 'cors';
import express, { type Request, type Response } from 'express';
import helmet from 'helmet';
import { serveDocs } from './docs/serve-docs.ts';
import { createIssueFeed } from './feed/issue-feed.ts';
import { logAccess } from './http/access-log.ts';
import { checkOrigin } from './http/check-origin.ts';
import { createClientErrors } from './http/client-error.ts';
import { answerAll } from './http/http-server.ts';
import { allowedOrigins } from './http/origins.ts';
import { pathOfTarget } from './http/request-target.ts';
import { nameRoute } from './http/route-name.ts';
import { logFault, sendError, sendJson } from './http/send.ts';
import { createFailedLoginCounts } from './login/failed-login-counts.ts';
import { createLoginDelay } from './login/login-delay.ts';
import { createPasswords } from './login/passwords.ts';
import { openApiDocument } from './openapi/openapi-document.ts';
import { WEBHOOK_PATH } from './openapi/webhook-operation.ts';
import { type OpenRequest, openRequest } from './procedure/open-request.ts';
import type { ApiService } from './procedure/request-context.ts';
import { createRestHandler } from './rest/rest-router.ts';
import type { ApiDeps, ApiOptions } from './service/api-deps.ts';
import { createSessionWatch } from './session/session-idleness.ts';
import { createSessionTokens } from './session/session-tokens.ts';
import { createTrpcHandler } from './trpc/trpc-handler.ts';
import { takeDeliveries } from './webhook/take-delivery.ts';

export interface Api {
  /** Answers all that comes in at a server that `createHttpServer` made. */
  readonly serve: (server: Server) => void;
  /** Ends every open stream and refuses new ones, for a shutdown. Their clients come back by themselves. */
  readonly closeStreams: () => void;
  /** Writes what was noted beside the requests: after the last of them, before the stores are closed. */
  readonly settle: () => Promise<void>;
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
const HEALTH = /^\/api\/health(?:\/|\?|$)/;
const PREFLIGHT_SECONDS = 600;
const MAX_ADDRESS = 64;
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
 * The whole api for one server: `/api` in REST, `/api/trpc` in tRPC, `/api/openapi.json` and `/api/docs` to read and try it.
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
    issueFeed: createIssueFeed(deps),
    noteSeen: createSessionWatch({ ...deps, options }),
  };
  const clientErrors = createClientErrors();
  const app = createApp(service);
  const handler: RequestListener = (req, res) => {
    clientErrors.watch(req.socket, res);
    const requestId = requestIdOf(req, deps);
    res.setHeader('X-Request-Id', requestId);
    const target = pathOfTarget(req.url ?? '');
    if (target === null) {
      sendError(res, new AppError('route_not_found'), requestId);
      return;
    }
    if (options.healthOnly === true && !HEALTH.test(target)) {
      const detail = 'This process works on issues and answers /api/health alone: ask one whose ROLE is api or all.';
      sendError(res, new AppError('route_not_found', { detail }), requestId);
      return;
    }
    req.url = target;
    // What nobody answered, and what somebody threw, ends here: Express's own last word would be HTML.
    app(req as Request, res as Response, (thrown?: unknown) => {
      const error = thrown ?? new AppError('route_not_found');
      logFault(deps.log, error, { request_id: requestId });
      sendError(res, error, requestId);
    });
  };

  return {
    serve: (server) => answerAll(server, { handler, clientErrors }),
    closeStreams: service.issueFeed.close,
    settle: () => service.failedLogins.flush(),
  };
}

function createApp(service: ApiService): express.Express {
  const { options, log } = service;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('trust proxy', options.trustProxy.length === 0 ? false : [...options.trustProxy]);
  app.set('case sensitive routing', true);
  app.set('strict routing', true);

  const requests = new WeakMap<ServerResponse, OpenRequest>();
  const openRequestOf = (res: ServerResponse): OpenRequest => {
    const open = requests.get(res);
    if (open === undefined) throw new Error('A request was not opened before it was handled.');
    return open;
  };
  app.use((req, res, next) => {
    const head = { requestId: String(res.getHeader('X-Request-Id')), ip: plainAddress(req.ip) };
    requests.set(res, openRequest(service, { req, res }, head));
    logAccess(log, { req, res }, head);
    res.setHeader('Cache-Control', 'no-store');
    next();
  });

  const isHttps = options.publicUrl.protocol === 'https:';
  const origins = allowedOrigins(options);
  app.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      },
      crossOriginResourcePolicy: { policy: 'same-site' },
      strictTransportSecurity: isHttps,
    }),
  );
  // Before the origin is looked at: what is known by its signature needs no cookie, so no page can misuse one.
  app.use(WEBHOOK_PATH, (_req, res, next) => {
    nameRoute(res, WEBHOOK_PATH);
    next();
  });
  app.all(WEBHOOK_PATH, takeDeliveries(service));
  app.use(
    (_req, res, next) => {
      res.vary('Origin');
      next();
    },
    cors({
      origin: (origin, allow) => allow(null, origin !== undefined && origins.has(origin)),
      credentials: true,
      exposedHeaders,
      maxAge: PREFLIGHT_SECONDS,
    }),
    checkOrigin(origins),
  );

  const document = JSON.stringify(openApiDocument(options));
  app.get('/api/openapi.json', (_req, res) => {
    nameRoute(res, '/api/openapi.json');
    res.setHeader('Cache-Control', 'no-cache');
    sendJson(res, 200, document);
  });
  app.all('/api/openapi.json', () => {
    throw new AppError('method_not_allowed', { headers: { Allow: 'GET, HEAD' } });
  });
  app.use(serveDocs());
  app.use('/api/trpc', createTrpcHandler(service, openRequestOf));
  app.use('/api', createRestHandler(service, openRequestOf));
  return app;
}

function requestIdOf(req: IncomingMessage, { ids }: Pick<ApiDeps, 'ids'>): string {
  const given = req.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : ids.next();
}

/**
 * An IPv4 client on a dual-stack socket is the same client: `::ffff:192.0.2.1` is `192.0.2.1`. Shortened, because a
 * proxy may hand on what is no address at all.
 */
function plainAddress(ip: string | undefined): string {
  return (ip ?? 'unknown').slice(0, MAX_ADDRESS).replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
}
