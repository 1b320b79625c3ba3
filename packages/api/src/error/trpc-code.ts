import type { ErrorKind } from '@sluice/core';
import type { TRPC_ERROR_CODE_KEY } from '@trpc/server/rpc';

/** What each kind of error is in tRPC. Total, and each code stands for the status that `httpStatusByKind` has. */
export const trpcCodeByKind = {
  invalid: 'BAD_REQUEST',
  unauthenticated: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  method_not_allowed: 'METHOD_NOT_SUPPORTED',
  too_large: 'PAYLOAD_TOO_LARGE',
  unsupported_media_type: 'UNSUPPORTED_MEDIA_TYPE',
  conflict: 'CONFLICT',
  rate_limited: 'TOO_MANY_REQUESTS',
  upstream: 'BAD_GATEWAY',
  unavailable: 'SERVICE_UNAVAILABLE',
  pipeline: 'INTERNAL_SERVER_ERROR',
  bug: 'INTERNAL_SERVER_ERROR',
} as const satisfies Record<ErrorKind, TRPC_ERROR_CODE_KEY>;
