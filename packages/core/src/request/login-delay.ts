/** The window, from the first failed login, in which failures delay the next ones. */
export const FAILED_LOGIN_WINDOW_SECONDS = 900;

const FREE_FAILURES = 5; // people who try several of their own passwords are not slowed
const STEP_MS = 500;
const LONGEST_MS = 4_000; // short enough for people, and limits guessing to one password in four seconds

/**
 * The delay before a login's password is checked, by the recent failures at the same e-mail. It never locks an account: a
 * lock would let anyone lock out any user.
 */
export function loginDelayMs(failures: number): number {
  return Math.min(LONGEST_MS, Math.max(0, failures - FREE_FAILURES + 1) * STEP_MS);
}
