/** So long a failed login counts for the delay of the next ones; the window begins with the first. */
export const FAILED_LOGIN_WINDOW_SECONDS = 900;

const FREE_FAILURES = 5; // a person who looks for the right one of their passwords is not slowed
const STEP_MS = 500;
const LONGEST_MS = 4_000; // a person still waits for it, and who guesses one after the other gets one in four seconds

/**
 * How long a login waits before its password is looked at, by the failed ones at the same e-mail within the window. It
 * slows and never locks: a lock would let anybody lock anybody out.
 */
export function loginDelayMs(failures: number): number {
  return Math.min(LONGEST_MS, Math.max(0, failures - FREE_FAILURES + 1) * STEP_MS);
}
