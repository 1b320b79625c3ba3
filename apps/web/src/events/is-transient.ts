import { isSluiceError } from '@sluice/client';

/** Whether a retry may succeed: no answer, a busy or a broken server. A fault of the console does not. */
export function isTransient(error: unknown): boolean {
  return isSluiceError(error) && (error.status === null || error.status === 429 || error.status >= 500);
}
