import type { AppError } from '@sluice/core/error';

/** The attempts at a stage when its errors are retryable. */
export const MAX_STAGE_ATTEMPTS = 4;
/** The attempts while an external service is unavailable. A restart of such a service takes a minute or two. */
export const MAX_STAGE_ATTEMPTS_AWAY = 10;

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

/** The longest wait that an external service may request. Quotas renew within the hour. */
const MAX_REQUESTED_MS = 2 * 60 * 60_000;

/**
 * The backoff in milliseconds before a stage is retried, or `null` when it is not. The catalogue decides: `retry` whether,
 * and the error's kind how often. A delay requested by the other side takes precedence, unless it is so long that a person
 * should retry the issue later.
 *
 * @param attempt the attempt that failed, from 1
 */
export function retryDelayMs(error: AppError, attempt: number): number | null {
  if (!error.retry || attempt >= maxStageAttempts(error)) return null;
  const requestedMs = error.details.retryAfterMs;
  if (requestedMs !== undefined) return requestedMs > MAX_REQUESTED_MS ? null : requestedMs;
  return Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), MAX_DELAY_MS);
}

/** The attempts at a stage that keeps failing with this error. */
export function maxStageAttempts(error: AppError): number {
  return isAway(error) ? MAX_STAGE_ATTEMPTS_AWAY : MAX_STAGE_ATTEMPTS;
}

/** Whether an external service is the cause: giving up early would waste work that a person has approved. */
function isAway({ kind }: AppError): boolean {
  return kind === 'upstream' || kind === 'unavailable' || kind === 'rate_limited';
}
