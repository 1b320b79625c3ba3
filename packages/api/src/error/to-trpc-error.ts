import { TRPCError } from '@trpc/server';
import { recognizeError } from './recognize-error.ts';
import { trpcCodeByKind } from './trpc-code.ts';

/** Gives an error its tRPC code: without, whatever was thrown would go out as a fault of the server. */
export function toTrpcError(thrown: unknown): TRPCError {
  const error = recognizeError(thrown);
  return new TRPCError({ code: trpcCodeByKind[error.kind], message: error.message, cause: error });
}
