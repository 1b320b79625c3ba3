import { AppError } from '@sluice/core';

/** How a call ended, as one of a few words: `ok`, or the catalogue's code of what was thrown. Never a message. */
export function callOutcome(thrown: unknown): string {
  if (thrown instanceof AppError) return thrown.code;
  return thrown instanceof Error && thrown.name === 'AbortError' ? 'aborted' : 'error';
}
