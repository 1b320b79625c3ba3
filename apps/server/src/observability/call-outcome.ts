import { AppError } from '@sluice/core/error';

/** The outcome of a failed call as a label: the catalogue's error code, `aborted` or `error`. Never a message. */
export function callOutcome(thrown: unknown): string {
  if (thrown instanceof AppError) return thrown.code;
  return thrown instanceof Error && thrown.name === 'AbortError' ? 'aborted' : 'error';
}
