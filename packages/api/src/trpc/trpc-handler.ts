import { AppError } from '@sluice/core';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import type { RequestHandler, Response } from 'express';
import { publicError } from '../error/public-error.ts';
import { recognizeError } from '../error/recognize-error.ts';
import { readJsonText, requireJson } from '../http/read-body.ts';
import { nameRoute } from '../http/route-name.ts';
import { logFault } from '../http/send.ts';
import { admitCaller } from '../procedure/admit-caller.ts';
import type { OpenRequest } from '../procedure/open-request.ts';
import type { ApiService } from '../procedure/request-context.ts';
import { appRouter } from './app-router.ts';

/** Twenty calls are a page's worth; without a bound one request would be any number of them. */
const MAX_BATCH = 20;

/** Serves the procedures as tRPC. Session and limits are the procedures' own, so each call of a batch is counted. */
export function createTrpcHandler(service: ApiService, openRequestOf: (res: Response) => OpenRequest): RequestHandler {
  const refusedBodies = new WeakMap<object, AppError>();
  const handle = createExpressMiddleware({
    router: appRouter,
    maxBatchSize: MAX_BATCH,
    createContext: ({ res, info }) => {
      const [first, ...others] = info.calls.map(({ path }) => path);
      const isOurs = first !== undefined && Object.hasOwn(appRouter._def.procedures, first);
      nameRoute(res as Response, `/api/trpc/${others.length > 0 ? '{batch}' : isOurs ? first : '{procedure}'}`);
      const open = openRequestOf(res as Response);
      return open.contextOf(async (meta) => {
        const actor = await admitCaller(service, open.caller, meta);
        const refusal = refusedBodies.get(res);
        if (refusal !== undefined) throw refusal;
        return actor;
      });
    },
    responseMeta: ({ errors, info }) => {
      const refused = errors.map((error) => publicError(error).headers).find((one) => Object.keys(one).length > 0);
      // What is refused before its calls were looked at would be sent as plain text.
      const type = info === undefined ? { 'content-type': 'application/json' } : {};
      return { headers: { ...type, ...refused } };
    },
    onError: ({ error, path, ctx }) => {
      // A client that has left makes what it waited for fail; that is no fault.
      if (ctx?.signal.aborted !== true) logFault(service.log, error, { request_id: ctx?.requestId, procedure: path });
    },
  });
  return async (req, res, next) => {
    // The adapter has answers of its own for these: 204 for HEAD, 415 for PUT, a fault of the server for TRACE.
    if (req.method !== 'GET' && req.method !== 'POST') {
      throw new AppError('method_not_allowed', { headers: { Allow: 'GET, POST' } });
    }
    // It would take what follows the last slash, whatever is before it.
    if (req.path.lastIndexOf('/') > 0) throw new AppError('route_not_found');
    // It takes forms and streams of bytes as well; no procedure does.
    if (req.method === 'POST') requireJson(req.headers);
    // Its headers are sent before the calls have ended: a login by it would set no cookie, and nobody would know.
    if (/\bapplication\/jsonl\b/.test(`${req.get('trpc-accept')} ${req.get('accept')}`)) {
      throw new AppError('validation_failed', { detail: 'Streamed batches are not supported: use httpBatchLink.' });
    }
    if (req.method === 'POST') {
      try {
        req.body = (await readJsonText(req, res)) ?? '';
      } catch (thrown) {
        // Thrown after session and limits are checked, as over REST, so that the request counts.
        refusedBodies.set(res, recognizeError(thrown));
        req.body = '';
      }
    }
    handle(req, res, next);
  };
}
