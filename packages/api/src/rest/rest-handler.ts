import { AppError } from '@sluice/core';
import type { RequestHandler, Response } from 'express';
import { createOpenApiNodeHttpHandler } from 'trpc-to-openapi';
import { appRouter, createCaller } from '../app-router.ts';
import type { OpenRequest } from '../http/open-request.ts';
import { nameRoute } from '../http/route-of.ts';
import { logFault, sendError, sendJson } from '../http/send.ts';
import { admitCaller } from '../procedure/admission.ts';
import type { ApiService, RequestContext } from '../procedure/request-context.ts';
import { answersWithoutBody } from '../procedure/route-meta.ts';
import { entityTag, matchesTag } from './entity-tag.ts';
import { sendEventStream } from './event-stream.ts';
import { lockCoercion } from './lock-coercion.ts';
import { readRouteInput, takesBody } from './route-input.ts';
import { findRoute, type Route, routeTable } from './route-table.ts';
import { sendText } from './send-text.ts';

/** What is remembered of a request while the adapter has it. */
interface Passage {
  readonly ctx: RequestContext;
  /** What the procedure threw: the adapter would write a body of its own from it. */
  thrown?: unknown;
}

/**
 * Serves the procedures as REST. The order of checks is the contract's: path and method, session, rate limit, and
 * only then is the body read. What remains goes through trpc-to-openapi, whose answer is written over: it knows only
 * the status 200 and its own error body.
 */
export function createRestHandler(service: ApiService, openRequestOf: (res: Response) => OpenRequest): RequestHandler {
  lockCoercion(appRouter);
  const routes = routeTable(appRouter);
  const passages = new WeakMap<object, Passage>();
  const adapter = createOpenApiNodeHttpHandler({
    router: appRouter,
    createContext: ({ req }) => {
      const passage = passages.get(req);
      if (passage === undefined) throw new Error('A request reached the adapter without having been admitted.');
      return passage.ctx;
    },
    onError: ({ req, error }) => {
      const passage = passages.get(req);
      if (passage !== undefined) passage.thrown = error;
    },
  });

  return async (req, res) => {
    const open = openRequestOf(res);
    const isHead = req.method === 'HEAD';
    const path = req.url.split('?', 1)[0] ?? '/';
    try {
      const found = findRoute(routes, req.method, path);
      if (found === null) throw new AppError('route_not_found');
      if (found.kind === 'other_method') {
        throw new AppError('method_not_allowed', { headers: { Allow: found.allow.join(', ') } });
      }
      const { route, params } = found;
      nameRoute(res, `/api${route.path}`);
      const actor = await admitCaller(service, open.caller, route.meta);
      const ctx = open.contextOf(async () => actor);
      const input = await readRouteInput(req, res, route);

      if (route.meta.text !== undefined) {
        res.vary('Accept');
        if (req.accepts(['application/json', route.meta.text.type]) === route.meta.text.type) {
          const call = (more: object) => callProcedure(ctx, route, { ...input, ...params, ...more });
          await sendText({ res, isHead }, route.meta.text, call);
          return;
        }
      }
      if (route.meta.sse !== undefined) {
        const lastEventId = req.get('Last-Event-ID');
        const given = lastEventId ? { ...input, ...params, lastEventId } : { ...input, ...params };
        const envelopes = await callProcedure(ctx, route, given);
        await sendEventStream({ res, isHead }, envelopes as AsyncIterable<unknown>);
        return;
      }

      const passage: Passage = { ctx };
      passages.set(req, passage);
      req.method = route.method; // HEAD goes as GET; Node leaves the body out by itself
      if (takesBody(route)) req.headers['content-type'] = 'application/json';
      req.body = takesBody(route) ? input : undefined;
      // As lists, because the adapter takes an empty text for an absent one.
      const query = Object.entries(takesBody(route) ? {} : input).map(([name, value]) => [name, [value].flat()]);
      Object.defineProperty(req, 'query', { value: Object.fromEntries(query), configurable: true });
      writeOver(res, (json) => {
        if (res.destroyed) return;
        if (passage.thrown !== undefined) {
          logFault(service.log, passage.thrown, { request_id: open.requestId, procedure: route.procedure });
          sendError(res, passage.thrown, open.requestId);
        } else {
          sendSuccess(res, { route, json, ifNoneMatch: req.get('If-None-Match') });
        }
      });
      await adapter(req, res, () => sendError(res, new AppError('route_not_found'), open.requestId));
    } catch (error) {
      if (res.destroyed) return; // the client has left: there is nobody to answer and nothing to mend
      logFault(service.log, error, { request_id: open.requestId });
      sendError(res, error, open.requestId);
    }
  };
}

/** Takes the one `end` that the adapter will call, so that what it has written can be written otherwise. */
function writeOver(res: Response, write: (json: string) => void): void {
  const end = res.end;
  res.end = ((body?: unknown) => {
    res.end = end;
    res.removeHeader('Content-Type');
    write(typeof body === 'string' ? body : 'null');
    return res;
  }) as typeof res.end;
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
