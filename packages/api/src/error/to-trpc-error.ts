import type { ErrorKind } from '@sluice/core/error';
import { TRPCError } from '@trpc/server';
import type { TRPC_ERROR_CODE_KEY } from '@trpc/server/rpc';
import { recognizeError } from './recognize-error.ts';

/** The tRPC code of each kind of error. Total, and each code maps to the same status as `httpStatusByKind`. */
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

/** Gives an error its tRPC code. Without one, tRPC answers 500 to everything that is thrown. */
export function toTrpcError(thrown: unknown): TRPCError {
  const error = recognizeError(thrown);
  return new TRPCError({ code: trpcCodeByKind[error.kind], message: error.message, cause: error });
}
