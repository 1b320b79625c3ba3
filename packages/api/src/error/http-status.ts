import type { ErrorKind } from '@sluice/core';

/** What each kind of error is in HTTP. Total: a new kind does not compile until it has a status. */
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
