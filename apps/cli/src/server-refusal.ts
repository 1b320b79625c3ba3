import { type ErrorCode, errorCatalog } from '@sluice/core';
import { TRPCClientError } from '@trpc/client';
import { type ExitCode, exitCode, exitCodeByKind } from './exit-code.ts';

/** The error body of a refusal by the server, as far as a command needs it. */
interface RefusalBody {
  readonly code?: string;
  readonly detail?: string;
  readonly [field: string]: unknown;
}

/** The server's error body when `error` is its refusal, else null. */
export function refusalBody(error: unknown): RefusalBody | null {
  if (!(error instanceof TRPCClientError)) return null;
  const data: unknown = error.data;
  return typeof data === 'object' && data !== null ? (data as RefusalBody) : null;
}

/** The catalogue code of the server's refusal, or null when it is something else. */
export function appErrorCode(error: unknown): ErrorCode | null {
  const code = refusalBody(error)?.code;
  return code !== undefined && Object.hasOwn(errorCatalog, code) ? (code as ErrorCode) : null;
}

/** The exit code for a refusal of the server, or null when `error` is something else. */
export function exitCodeOfRefusal(error: unknown): ExitCode | null {
  if (!(error instanceof TRPCClientError)) return null;
  const code = appErrorCode(error);
  return code === null ? exitCode.unexpected : exitCodeByKind[errorCatalog[code].kind];
}
