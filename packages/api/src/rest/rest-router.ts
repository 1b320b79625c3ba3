import { AppError } from '@sluice/core';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { nameRoute } from '../http/route-name.ts';
import { sendTagged } from '../http/send.ts';
import { openRequest } from '../procedure/open-request.ts';
import type { ApiService } from '../procedure/request-context.ts';
import { answersWithoutBody, type RouteMeta } from '../procedure/route-meta.ts';
import type { Subscription } from '../procedure/subscription.ts';
import { readRouteInput } from './route-input.ts';
import type { Route } from './route-table.ts';
import { sendEventStream } from './send-event-stream.ts';
import { sendText } from './send-text.ts';

/** Serves the procedures as REST. */
export function createRestRouter(service: ApiService, routes: readonly Route[]): Router {
  const router = Router({ caseSensitive: true, strict: true });
  // Parameters stay as they were sent: an id with an encoded character, or a broken one, names nothing and is a 404.
  router.use((req, _res, next) => {
    req.url = req.url.replace(/^[^?]*/, (path) => path.replaceAll('%', '%25'));
    next();
  });
  const methodsByPath = new Map<string, string[]>();
  for (const route of routes) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const method = route.method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete';
    router[method](path, routeHandler(service, route)); // Express answers HEAD by GET
    methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), route.method]);
  }
  // Behind all routes, since two patterns can match one path: `/issues/import` is also `/issues/{id}`.
  for (const [path, methods] of methodsByPath) {
    router.all(path, (_req, res, next) => {
      res.locals.allow = [...(res.locals.allow ?? []), ...methods];
      next();
    });
  }
  router.use((_req, res) => {
    const allow: string[] | undefined = res.locals.allow;
    if (allow === undefined) throw new AppError('route_not_found');
    if (allow.includes('GET')) allow.push('HEAD');
    throw new AppError('method_not_allowed', { headers: { Allow: allow.join(', ') } });
  });
  return router;
}

/**
 * Calls a route's procedure. The procedure itself checks session and limit, and only then asks for its input, so that the
 * body of a request that is not admitted is never read.
 */
function routeHandler(service: ApiService, route: Route): RequestHandler {
  const { meta } = route;
  return async (req, res) => {
    nameRoute(res, `/api${route.path}`);
    res.locals.procedure = route.name;
    const call = procedureCall(service, route, { req, res });
    const isHead = req.method === 'HEAD'; // Node leaves the body out by itself

    if (meta.text !== undefined) {
      res.vary('Accept');
      if (req.accepts(['application/json', meta.text.type]) === meta.text.type) {
        return await sendText({ res, isHead }, meta.text, call);
      }
    }
    if (meta.sse !== undefined) {
      const lastEventId = req.get('Last-Event-ID');
      const { stream } = (await call(lastEventId ? { lastEventId } : {})) as Subscription<unknown>;
      return await sendEventStream({ res, isHead }, stream);
    }
    sendSuccess({ req, res }, meta, await call({}));
  };
}

/** One call of a procedure; `more` goes before what the request brings. */
type ProcedureCall = (more: Readonly<Record<string, unknown>>) => Promise<unknown>;

function procedureCall(service: ApiService, route: Route, request: { req: Request; res: Response }): ProcedureCall {
  const { procedure } = route;
  const ctx = openRequest(service, request);
  let input: Promise<Record<string, unknown>> | null = null;
  return async (more) =>
    procedure({
      ctx,
      path: route.name,
      type: procedure._def.type,
      signal: ctx.signal,
      batchIndex: 0,
      getRawInput: async () => {
        input ??= readRouteInput(request.req, request.res, route);
        return { ...(await input), ...more };
      },
    });
}

function sendSuccess({ req, res }: { req: Request; res: Response }, meta: RouteMeta, output: unknown): void {
  if (res.destroyed) return;
  res.status(meta.status ?? 200);
  if (answersWithoutBody(meta)) {
    res.end();
    return;
  }
  const json = JSON.stringify(output ?? null);
  res.type('json');
  if (meta.etag === true) sendTagged(req, res.set('Cache-Control', 'private, no-cache'), json);
  else res.send(json);
}
