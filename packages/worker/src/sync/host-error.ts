import { AppError, type ErrorCode, toAppError } from '@sluice/core/error';

/** Only a person can fix these, if anybody: a retry changes nothing, and other registrations continue. */
const skipped: ReadonlySet<ErrorCode> = new Set([
  'codehost_not_linked',
  'codehost_relink_needed',
  'codehost_forbidden',
  'codehost_not_found',
  'account_disabled', // of the member who created the issue
  'registrant_disabled',
]);

/** A text whose target is gone, or closed to us: no retry finds a place for it. */
export const NO_PLACE: ReadonlySet<ErrorCode> = new Set([
  'codehost_not_found',
  'codehost_forbidden',
  'codehost_refused',
]);

/** Whether a registration is skipped for now, because of an account. */
export function isSkipped(error: AppError): boolean {
  return skipped.has(error.code);
}

/** The error behind a failed request: a timeout means that the host is slow, not a fault of ours. */
export function toHostError(thrown: unknown): AppError {
  const isLate = thrown instanceof DOMException && thrown.name === 'TimeoutError';
  return isLate ? new AppError('codehost_unavailable', {}, { cause: thrown }) : toAppError(thrown);
}

const refusals: ReadonlySet<ErrorCode> = new Set(['codehost_forbidden', 'codehost_not_found', 'codehost_refused']);

/** Whether the host refuses this one request, which a retry would not change. What does not depend on it can go on. */
export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && refusals.has(error.code);
}
