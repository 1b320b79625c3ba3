import { isSluiceError } from '@sluice/client';
import { type ErrorCode, errorCatalog } from '@sluice/core/error';
import { type ExitCode, exitCode, exitCodeByKind } from '../terminal/exit-code.ts';

/** The error code from the catalogue, or null for any other error. */
export function appErrorCode(error: unknown): ErrorCode | null {
  return isSluiceError(error) && Object.hasOwn(errorCatalog, error.code) ? (error.code as ErrorCode) : null;
}

/** The exit code, message and body for a call that failed at the server or never reached it; null for any other error. */
export function serverRefusal(
  error: unknown,
): { code: ExitCode; message: string; body: Readonly<Record<string, unknown>> } | null {
  if (!isSluiceError(error)) return null;
  const code = appErrorCode(error);
  return {
    code: code === null ? exitCode.unexpected : exitCodeByKind[errorCatalog[code].kind],
    message: code === 'internal' && error.requestId !== null ? `${error.detail} (${error.requestId})` : error.detail,
    body: { code: error.code, ...error.body },
  };
}
