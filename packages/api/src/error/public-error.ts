import { type AppError, type ErrorKind, errorCatalog } from '@sluice/core';
import * as z from 'zod';
import { recognizeError } from './recognize-error.ts';

/** The HTTP status of each kind of error. Total: a new kind does not compile until it has a status. */
export const httpStatusByKind = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  too_large: 413,
  unsupported_media_type: 415,
  conflict: 409,
  rate_limited: 429,
  upstream: 502,
  unavailable: 503,
  pipeline: 500,
  bug: 500,
} as const satisfies Record<ErrorKind, number>;

/** The error body. Some errors have further members, e.g. `active_issue_id`. */
export const errorWire = z
  .looseObject({
    detail: z.string().describe('What happened and what to do, as a sentence.'),
    code: z.string().describe('A stable word for programs, e.g. `issue_not_awaiting_approval`.'),
    errors: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .describe('The invalid fields of a refused request.'),
    request_id: z.string().optional().describe('Identifies the request in the server log.'),
  })
  .meta({ id: 'Error' });

export interface PublicError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: z.infer<typeof errorWire>;
}

/** Kinds whose messages may contain internals. Clients get the catalogue's general message instead. */
const internalKinds = new Set<AppError['kind']>(['bug', 'pipeline']);

/**
 * The part of an error that clients may see. All error bodies are written here, for REST, for tRPC and for requests that
 * reach neither.
 *
 * @param requestId absent where a request was refused before it got one
 */
export function publicError(thrown: unknown, requestId?: string): PublicError {
  const named = requestId === undefined ? {} : { request_id: requestId };
  const error = recognizeError(thrown);
  const { details } = error;
  const status = httpStatusByKind[error.kind];
  if (internalKinds.has(error.kind)) {
    const { message } = errorCatalog.internal;
    return { status, headers: {}, body: { detail: message, code: 'internal', ...named } };
  }
  const wait = details.retryAfterMs === undefined ? null : Math.max(1, Math.ceil(details.retryAfterMs / 1_000));
  return {
    status,
    headers: { ...(wait === null ? {} : { 'Retry-After': String(wait) }), ...details.headers },
    body: {
      detail: error.message,
      code: error.code,
      ...(details.errors === undefined ? {} : { errors: [...details.errors] }),
      ...(details.limit === undefined ? {} : { limit: details.limit }),
      ...(details.windowSeconds === undefined ? {} : { window_seconds: details.windowSeconds }),
      ...(error.kind === 'rate_limited' && wait !== null ? { retry_after_seconds: wait } : {}),
      ...details.body,
      ...named,
    },
  };
}
