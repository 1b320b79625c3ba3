import { AppError } from '@sluice/core/error';
import type { AnyTRPCProcedure } from '@trpc/server';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import type { RequestHandler } from 'express';
import { publicError } from '../../error/public-error.ts';
import { recognizeError } from '../../error/recognize-error.ts';
import { createOpenRequest } from '../../procedure/open-request.ts';
import { mergeRouters, router } from '../../procedure/procedure.ts';
import type { ApiService, RequestContext } from '../../procedure/request-context.ts';
import { noteInLog } from '../http/log-notes.ts';
import { readJsonText, requireJson } from '../http/read-body.ts';
import { nameRoute } from '../http/route-name.ts';
import { logFault } from '../http/send.ts';
import { appRouter } from './app-router.ts';
import { oldNames } from './old-names.ts';

/** Twenty calls fill a page; without a bound, one request could make any number of them. */
const MAX_BATCH = 20;

/**
 * Serves the procedures as tRPC. Each call of a batch is admitted and counted by its own procedure.
 *
 * @param names the procedures that there are: the log and the metrics name no other
 */
export function createTrpcHandler(service: ApiService, names: ReadonlySet<string>): RequestHandler {
  const openRequest = createOpenRequest(service);
  const handle = createExpressMiddleware({
    router: servedRouter,
    maxBatchSize: MAX_BATCH,
    createContext: ({ req, res, info }) => {
      const [first, ...others] = info.calls.map(({ path }) => nameOf(path));
      const isKnown = first !== undefined && names.has(first);
      nameRoute(res, `/api/trpc/${others.length > 0 ? '{batch}' : isKnown ? first : '{procedure}'}`);
      return withBodyRefused(openRequest({ req, res }), res.locals.bodyRefusal);
    },
    responseMeta: ({ errors, info }) => {
      const refused = errors.map((error) => publicError(error).headers).find((one) => Object.keys(one).length > 0);
      // tRPC sends what it refuses before it knows the calls as plain text.
      const type = info === undefined ? { 'content-type': 'application/json' } : {};
      return { headers: { ...type, ...refused } };
    },
    onError: ({ error, path, ctx, req }) => {
      if (req.res !== undefined) noteInLog(req.res, { refused: publicError(error).body.code });
      // Work fails when its client leaves; that is not a fault.
      if (ctx?.signal.aborted !== true)
        logFault(service.log, error, { request_id: ctx?.requestId, procedure: path && nameOf(path) });
    },
  });
  return async (req, res, next) => {
    // The adapter answers these in its own way: 204 for HEAD, 415 for PUT, 500 for TRACE.
    if (req.method !== 'GET' && req.method !== 'POST') {
      throw new AppError('method_not_allowed', { headers: { Allow: 'GET, POST' } });
    }
    // The adapter would take what follows the last slash and ignore the rest.
    if (req.path.lastIndexOf('/') > 0) throw new AppError('route_not_found');
    // The adapter takes forms and streams of bytes as well; no procedure does.
    if (req.method === 'POST') requireJson(req.headers);
    // A streamed batch sends its headers before its calls have ended: a login would lose its cookie.
    if (/\bapplication\/jsonl\b/.test(`${req.get('trpc-accept')} ${req.get('accept')}`)) {
      throw new AppError('validation_failed', { detail: 'Streamed batches are not supported: use httpBatchLink.' });
    }
    if (req.method === 'POST') {
      try {
        req.body = (await readJsonText(req, res)) ?? '';
      } catch (thrown) {
        res.locals.bodyRefusal = recognizeError(thrown);
        req.body = '';
      }
    }
    handle(req, res, next);
  };
}

/** The name that a procedure has now. */
function nameOf(path: string): string {
  return (Object.hasOwn(oldNames, path) ? oldNames[path] : null) ?? path;
}

/** Refuses a bad body only after session and limit are checked, as over REST, so that the request counts. */
function withBodyRefused(ctx: RequestContext, refusal: AppError | undefined): RequestContext {
  if (refusal === undefined) return ctx;
  return {
    ...ctx,
    admit: async (meta) => {
      const { settle } = await ctx.admit(meta);
      await settle?.(false);
      throw refusal;
    },
  };
}

const aliases = Object.entries(oldNames).map(([old, name]) => [old, procedureAt(name)]);

/** The router as tRPC serves it: an old name has the very procedure, so that limit, scope and audit entries are the same. */
export const servedRouter = mergeRouters(appRouter, router(Object.fromEntries(aliases)));

/** @throws Error when there is no such procedure */
function procedureAt(name: string): AnyTRPCProcedure {
  const node = name.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], appRouter);
  if (typeof node !== 'function') throw new Error(`There is no procedure ${name}: correct old-names.ts.`);
  return node as AnyTRPCProcedure;
}
