import { type ErrorCode, type ErrorKind, errorCatalog } from '@sluice/core/error';
import * as z from 'zod';
import { SESSION_COOKIE } from '../identity/session/session-cookie.ts';
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

/** Kinds whose messages may contain internals. Clients get the catalogue's general message instead. */
const internalKinds = new Set<ErrorKind>(['bug', 'pipeline']);

/** RFC 9110 wants one with each 401. Browsers ask for a password only where they know the scheme. */
const CHALLENGE = `Cookie realm="Sluice", cookie-name="${SESSION_COOKIE}"`;

/** Statuses of requests that never became one, because Node's parser refused them, by code. */
const statusByTransportCode = { malformed_request: 400, request_timeout: 408, headers_too_large: 431 } as const;
type TransportCode = keyof typeof statusByTransportCode;

/** Every code that a client can meet. */
export const publicCodes = [
  ...(Object.keys(errorCatalog) as ErrorCode[]).filter(
    (code) => code === 'internal' || !internalKinds.has(errorCatalog[code].kind),
  ),
  ...(Object.keys(statusByTransportCode) as TransportCode[]),
] as const;
export type PublicCode = (typeof publicCodes)[number];

/** The HTTP status of each code. */
export function statusOf(code: PublicCode): number {
  return isTransportCode(code) ? statusByTransportCode[code] : httpStatusByKind[errorCatalog[code].kind];
}

function isTransportCode(code: PublicCode): code is TransportCode {
  return code in statusByTransportCode;
}

/** The error body. Some errors have further members, e.g. `active_issue_id`. */
export const errorWire = z.looseObject({
  detail: z.string().describe('What happened and what to do, as a sentence.'),
  code: z.enum(publicCodes).describe('A stable word for programs. Later versions may add some.'),
  errors: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional()
    .describe('The invalid fields of a refused request.'),
  request_id: z.string().optional().describe('Identifies the request in the server log.'),
});

/** The members that RFC 9457 adds, for clients that accept `application/problem+json`. */
export const problemWire = errorWire.extend({
  type: z.string().describe('`urn:sluice:error:` and the code. A name, not an address.'),
  title: z.string().describe('The same for every error with this code.'),
  status: z.int(),
  instance: z.string().optional().describe('`urn:sluice:request:` and the id of the request.'),
});

export interface PublicError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: z.infer<typeof errorWire>;
}

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
    headers: {
      ...(wait === null ? {} : { 'Retry-After': String(wait) }),
      ...(status === 401 ? { 'WWW-Authenticate': CHALLENGE } : {}),
      ...details.headers,
    },
    body: {
      detail: error.message,
      code: error.code as PublicError['body']['code'], // not an internal one, see above
      ...(details.errors === undefined ? {} : { errors: [...details.errors] }),
      ...(details.limit === undefined ? {} : { limit: details.limit }),
      ...(details.windowSeconds === undefined ? {} : { window_seconds: details.windowSeconds }),
      ...(error.kind === 'rate_limited' && wait !== null ? { retry_after_seconds: wait } : {}),
      ...details.body,
      ...named,
    },
  };
}

/** A refusal as RFC 9457 has it, beside our own members. */
export function problemOf({ status, body }: PublicError): z.infer<typeof problemWire> {
  const { code, request_id } = body;
  const title = code in errorCatalog ? errorCatalog[code as ErrorCode].message : body.detail;
  return {
    ...body,
    type: `urn:sluice:error:${code}`,
    title,
    status, // that of readiness is `up` or `down` in our own body
    ...(request_id === undefined ? {} : { instance: `urn:sluice:request:${request_id}` }),
  };
}
