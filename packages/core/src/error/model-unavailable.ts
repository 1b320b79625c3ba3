import type { AppError } from './app-error.ts';
import type { ErrorCode } from './error-catalog.ts';

const AWAY: ReadonlySet<ErrorCode> = new Set([
  'model_key_refused',
  'model_quota_exhausted',
  'model_not_found',
  'model_overloaded',
  'model_unavailable',
  'model_timeout',
  'model_answer_unreadable',
]);

/** Whether the failure has nothing to do with the request: a fallback model, or the same model later, may answer it. */
export function isModelUnavailable({ code }: AppError): boolean {
  return AWAY.has(code);
}
