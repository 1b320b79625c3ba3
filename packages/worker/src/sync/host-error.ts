import { AppError, type ErrorCode, toAppError } from '@sluice/core';

/** What its owner alone can mend, or nobody: asking again would change nothing, and others' registrations go on. */
const skipped: ReadonlySet<ErrorCode> = new Set([
  'codehost_not_linked',
  'codehost_relink_needed',
  'codehost_forbidden',
  'codehost_not_found',
]);

/** Whether a registration is passed over for now because its user's account does not get to the subject. */
export function isSkipped(error: AppError): boolean {
  return skipped.has(error.code);
}

/** What was thrown while the host was asked: a look that took too long is the host's slowness, not a fault of ours. */
export function toHostError(thrown: unknown): AppError {
  const isLate = thrown instanceof DOMException && thrown.name === 'TimeoutError';
  return isLate ? new AppError('codehost_unavailable', {}, { cause: thrown }) : toAppError(thrown);
}
