import { backoffMs } from '@sluice/core/async';
import type { AppError } from '@sluice/core/error';

const BACKOFF = { firstMs: 10_000, longestMs: 3_600_000 }; // an outage of a day costs 24 requests, and its end is noticed within the hour
const BUSY_MS = 60_000; // what the host's documentation asks for when it names no time
/** From here on each failure is logged as an error: after an hour and a half of retries. */
export const ERROR_AFTER_FAILURES = 10;

/**
 * When a failed sync is retried. There is no last retry: a mark stays until its subject was synced. A rate limit of the host
 * is not a failure.
 *
 * @param failures failed syncs before this one
 */
export function syncBackoff(
  error: AppError,
  failures: number,
): { readonly retryInMs: number; readonly failed: boolean } {
  if (error.code === 'codehost_busy') {
    return { retryInMs: Math.min(error.details.retryAfterMs ?? BUSY_MS, BACKOFF.longestMs), failed: false };
  }
  return {
    retryInMs: Math.min(Math.max(backoffMs(failures + 1, BACKOFF), error.details.retryAfterMs ?? 0), BACKOFF.longestMs),
    failed: true,
  };
}
