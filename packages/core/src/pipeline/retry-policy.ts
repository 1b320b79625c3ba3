import type { AppError } from '../error/app-error.ts';

/** How often one stage is tried when its errors say that trying again can help. */
export const MAX_STAGE_ATTEMPTS = 4;
/** The same while somebody else's service is away: a restart of theirs takes a minute or two. */
export const MAX_STAGE_ATTEMPTS_AWAY = 10;

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;

/** The longest pause that somebody else may ask for: a quota is good again within the hour. */
const LONGEST_ASKED_MS = 2 * 60 * 60_000;

/**
 * The pause in milliseconds before a stage is tried again, or `null` when it is not: the error's catalogue entry
 * decides that: its `retry`, and its kind how often. Doubles from half a second; a delay that the other side named wins,
 * unless it is so long that a person does better to try again himself.
 *
 * @param attempt the attempt that failed, from 1
 */
export function retryDelayMs(error: AppError, attempt: number): number | null {
  if (!error.retry || attempt >= (isAway(error) ? MAX_STAGE_ATTEMPTS_AWAY : MAX_STAGE_ATTEMPTS)) return null;
  const asked = error.details.retryAfterMs;
  if (asked !== undefined) return asked > LONGEST_ASKED_MS ? null : asked;
  return Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS);
}

/** Nothing is wrong with what we do: giving up soon would throw away work that a person has approved. */
function isAway({ kind }: AppError): boolean {
  return kind === 'upstream' || kind === 'unavailable' || kind === 'rate_limited';
}
