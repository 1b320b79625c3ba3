import type { AppError } from '../error/app-error.ts';

/** How often one stage is tried when its errors say that trying again can help. */
export const MAX_STAGE_ATTEMPTS = 4;

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;

/**
 * The pause in milliseconds before a stage is tried again, or `null` when it is not: the error's catalogue entry
 * alone decides that, up to `MAX_STAGE_ATTEMPTS`. Doubles from half a second; a delay that the other side named wins.
 *
 * @param attempt the attempt that failed, from 1
 */
export function retryDelayMs(error: AppError, attempt: number): number | null {
  if (!error.retry || attempt >= MAX_STAGE_ATTEMPTS) return null;
  return error.details.retryAfterMs ?? Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS);
}
