import type { AppError } from '@sluice/core';

const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 3_600_000; // an outage of a day is seen 24 times, and what comes after it within the hour
const BUSY_MS = 60_000; // what the host's documents ask for where it names no time itself
/** From here on each failure is an error in the log: an hour and a half of trying. */
export const LOUD_AFTER = 10;

/**
 * When a subject that could not be looked at is tried again. There is no last time: what was marked stays marked until
 * it has been seen. The host's own wish to be left alone is no failure.
 *
 * @param failures tries without success before this one
 */
export function syncBackoff(
  error: AppError,
  failures: number,
): { readonly retryInMs: number; readonly failed: boolean } {
  if (error.code === 'codehost_busy') {
    return { retryInMs: Math.min(error.details.retryAfterMs ?? BUSY_MS, LONGEST_PAUSE_MS), failed: false };
  }
  const doubled = FIRST_PAUSE_MS * 2 ** Math.min(failures, 20); // beyond that it is the longest pause anyway
  return { retryInMs: Math.min(Math.max(doubled, error.details.retryAfterMs ?? 0), LONGEST_PAUSE_MS), failed: true };
}
