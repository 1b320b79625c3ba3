import { isFailedCall, refusalOf } from '@sluice/client';
import { type ErrorCode, errorCatalog } from '@sluice/core';
import { type ExitCode, exitCode, exitCodeByKind } from './exit-code.ts';

/** The catalogue code of the server's refusal, or null when it is something else. */
export function appErrorCode(error: unknown): ErrorCode | null {
  const code = refusalOf(error)?.code;
  return code !== undefined && Object.hasOwn(errorCatalog, code) ? (code as ErrorCode) : null;
}

/** The exit code and the sentence of a call that the server refused or never answered, or null for anything else. */
export function serverRefusal(error: unknown): { code: ExitCode; message: string } | null {
  if (!isFailedCall(error)) return null;
  const refusal = refusalOf(error);
  if (refusal === null) return { code: exitCode.unexpected, message: `The server did not answer: ${error.message}` };
  const code = appErrorCode(error);
  return {
    code: code === null ? exitCode.unexpected : exitCodeByKind[errorCatalog[code].kind],
    message: refusal.detail,
  };
}
