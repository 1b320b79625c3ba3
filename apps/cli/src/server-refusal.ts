import { refusalOf } from '@sluice/client';
import { type ErrorCode, errorCatalog } from '@sluice/core';
import { type ExitCode, exitCode, exitCodeByKind } from './exit-code.ts';

/** The catalogue code of the server's refusal, or null when it is something else. */
export function appErrorCode(error: unknown): ErrorCode | null {
  const code = refusalOf(error)?.code;
  return code !== undefined && Object.hasOwn(errorCatalog, code) ? (code as ErrorCode) : null;
}

/** The exit code and the sentence of a refusal by the server, or null when `error` is something else. */
export function serverRefusal(error: unknown): { code: ExitCode; message: string } | null {
  const refusal = refusalOf(error);
  if (refusal === null || !(error instanceof Error)) return null;
  const code = appErrorCode(error);
  return {
    code: code === null ? exitCode.unexpected : exitCodeByKind[errorCatalog[code].kind],
    message: refusal.detail ?? error.message,
  };
}
