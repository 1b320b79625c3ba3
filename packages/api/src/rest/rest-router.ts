import { AppError } from '@sluice/core';
import type { RequestHandler, Response } from 'express';
import { entityTag, matchesTag } from '../http/entity-tag.ts';
import { nameRoute } from '../http/route-name.ts';
import { logFault, sendError, sendJson } from '../http/send.ts';
import { admitCaller } from '../procedure/admit-caller.ts';
import type { OpenRequest } from '../procedure/open-request.ts';
import type { ApiService, RequestContext } from '../procedure/request-context.ts';
import { answersWithoutBody } from '../procedure/route-meta.ts';
import type { Subscription } from '../procedure/subscription.ts';
import { appRouter, createCaller } from '../trpc/app-router.ts';
import { readRouteInput } from './route-input.ts';
import { findRoute, type Route, routeTable } from './route-table.ts';
import { sendEventStream } from './send-event-stream.ts';
import { sendText } from './send-text.ts';

/**
 * Serves the procedures as REST. The order of checks is the contract's: path and method, session, rate limit, and
 * only then is the body read. A path is looked up once: were it read a second time by another parser (a URL drops what
 * follows a `#` and resolves `..\`), the procedure that is called could be another than the one that was admitted.
 */
export function createRestHandler(service: ApiService, openRequestOf: (res: Response) => OpenRequest): RequestHandler {
  const routes = routeTable(appRouter);

  return async (req, res) => {
    const open = openRequestOf(res);
    const isHead = req.method === 'HEAD'; // goes as GET; Node leaves the body out by itself
    let procedure: string | undefined;
    try {
      const found = findRoute(routes, req.method, req.url.split('?', 1)[0] ?? '/');
      if (found === null) throw new AppError('route_not_found');
      if (found.kind === 'other_method') {
        throw new AppError('method_not_allowed', { headers: { Allow: found.allow.join(', ') } });
      }
      const { route, params } = found;
      procedure = route.procedure;
      nameRoute(res, `/api${route.path}`);
      const actor = await admitCaller(service, open.caller, route.meta);
      const ctx = open.contextOf(async () => actor);
      const input = { ...(await readRouteInput(req, res, route)), ...params };
      const call = (more: object) => callProcedure(ctx, route, { ...input, ...more });

      if (route.meta.text !== undefined) {
        res.vary('Accept');
        if (req.accepts(['application/json', route.meta.text.type]) === route.meta.text.type) {
          await sendText({ res, isHead }, route.meta.text, call);
          return;
        }
      }
      if (route.meta.sse !== undefined) {
        const lastEventId = req.get('Last-Event-ID');
        const { stream } = (await call(lastEventId ? { lastEventId } : {})) as Subscription<unknown>;
        await sendEventStream({ res, isHead }, stream);
        return;
      }
      const json = JSON.stringify((await call({})) ?? null);
      if (!res.destroyed) sendSuccess(res, { route, json, ifNoneMatch: req.get('If-None-Match') });
    } catch (error) {
      if (res.destroyed) return; // the client has left: there is nobody to answer and nothing to mend
      logFault(service.log, error, { request_id: open.requestId, procedure });
      sendError(res, error, open.requestId);
    }
  };
}

function sendSuccess(res: Response, answer: { route: Route; json: string; ifNoneMatch: string | undefined }): void {
  const { meta } = answer.route;
  if (meta.status !== undefined && answersWithoutBody(meta)) {
    res.statusCode = meta.status;
    res.end();
    return;
  }
  if (meta.etag === true) {
    const tag = entityTag(answer.json);
    res.setHeader('ETag', tag);
    res.setHeader('Cache-Control', 'private, no-cache');
    if (matchesTag(answer.ifNoneMatch, tag)) {
      res.statusCode = 304;
      res.end();
      return;
    }
  }
  sendJson(res, meta.status ?? 200, answer.json);
}

/** Calls a procedure by the name that its route has. */
async function callProcedure(ctx: RequestContext, route: Route, input: unknown): Promise<unknown> {
  let node: unknown = createCaller(ctx, { signal: ctx.signal });
  for (const name of route.procedure.split('.')) node = (node as Record<string, unknown>)[name];
  return (node as (input: unknown) => Promise<unknown>)(input);
}
