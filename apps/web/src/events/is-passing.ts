import { isSluiceError } from '@sluice/client';

/** Whether an error may go away by itself: no answer, a busy or a broken server. A fault of the console does not. */
export function isPassing(error: unknown): boolean {
  return isSluiceError(error) && (error.status === null || error.status === 429 || error.status >= 500);
}
