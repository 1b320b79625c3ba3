import { TRPCError } from '@trpc/server';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import type { RequestHandler, Response } from 'express';
import { appRouter } from '../app-router.ts';
import { publicError } from '../error/public-error.ts';
import type { ApiService } from '../procedure/request-context.ts';
import { MAX_BODY_BYTES } from '../rest/read-body.ts';
import type { OpenRequest } from './open-request.ts';
import { logFault } from './send.ts';

/** Twenty calls are a page's worth; without a bound one request would be any number of them. */
const MAX_BATCH = 20;

/** Serves the procedures as tRPC. Session and limits are the procedures' own, so each call of a batch is counted. */
export function createTrpcHandler(service: ApiService, openRequestOf: (res: Response) => OpenRequest): RequestHandler {
  return createExpressMiddleware({
    router: appRouter,
    maxBodySize: MAX_BODY_BYTES,
    maxBatchSize: MAX_BATCH,
    createContext: ({ res, info }) => {
      // Its headers are sent before the calls have ended: a login by it would set no cookie, and nobody would know.
      if (info.accept === 'application/jsonl') {
        throw new TRPCError({ code: 'BAD_REQUEST', message: 'Streamed batches are not supported: use httpBatchLink' });
      }
      return openRequestOf(res).contextOf();
    },
    responseMeta: ({ errors }) => {
      const headers = errors.map((error) => publicError(error).headers).find((one) => Object.keys(one).length > 0);
      return headers === undefined ? {} : { headers: { ...headers } };
    },
    onError: ({ error, path, ctx }) => logFault(service.log, error, { request_id: ctx?.requestId, procedure: path }),
  });
}
