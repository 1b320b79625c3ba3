import { AppError, type ErrorCode, toAppError } from '@sluice/core/error';
import { TRPCError } from '@trpc/server';
import type { TRPC_ERROR_CODE_KEY } from '@trpc/server/rpc';
import { ZodError } from 'zod';
import { fieldFaults, summarizeFaults } from './field-faults.ts';

/** Refusals by the transport itself, which throws no `AppError`. */
const codeByTrpc: Partial<Record<TRPC_ERROR_CODE_KEY, ErrorCode>> = {
  PARSE_ERROR: 'malformed_json',
  BAD_REQUEST: 'validation_failed',
  NOT_FOUND: 'route_not_found',
  METHOD_NOT_SUPPORTED: 'method_not_allowed',
  PAYLOAD_TOO_LARGE: 'body_too_large',
  UNSUPPORTED_MEDIA_TYPE: 'media_type_unsupported',
};

/** Refusals by body-parser, by its `type`. */
const codeByBodyFault: Record<string, ErrorCode> = {
  'entity.too.large': 'body_too_large',
  'request.aborted': 'validation_failed',
  'request.size.invalid': 'validation_failed',
};

/**
 * Turns anything thrown into an `AppError`: one inside tRPC's wrapper, a refused input, a refusal by the transport, or a
 * bug, whose message stays in the log.
 */
export function recognizeError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof TRPCError) return fromTrpc(thrown);
  const type = bodyFault(thrown);
  const code = type === null ? undefined : codeByBodyFault[type];
  return code === undefined ? toAppError(thrown) : new AppError(code, {}, { cause: thrown });
}

function fromTrpc(error: TRPCError): AppError {
  const { cause } = error;
  if (cause instanceof AppError) return cause;
  if (error.code === 'BAD_REQUEST') {
    if (cause instanceof ZodError) return invalidInput(cause);
    if (cause instanceof SyntaxError) return new AppError('malformed_json', {}, { cause });
  }
  const code = codeByTrpc[error.code];
  if (code === undefined) return toAppError(cause ?? error);
  const detail = code === 'validation_failed' ? { detail: `${error.message}.` } : {};
  return new AppError(code, detail, { cause: error });
}

function invalidInput(cause: ZodError): AppError {
  const errors = fieldFaults(cause);
  return new AppError('validation_failed', { detail: summarizeFaults(errors), errors }, { cause });
}

function bodyFault(thrown: unknown): string | null {
  if (!(thrown instanceof Error) || !('type' in thrown)) return null;
  return typeof thrown.type === 'string' ? thrown.type : null;
}
