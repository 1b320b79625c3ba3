/**
 * The rate limits. Every request to a limited endpoint counts, whatever its response or transport.
 */
export const rateLimits = {
  login: { points: 5, windowSeconds: 60, key: 'ip' },
  register: { points: 5, windowSeconds: 60, key: 'ip' },
  // Prevents guessing the current password in an open browser.
  change_account: { points: 10, windowSeconds: 3_600, key: 'user' },
  create_issue: { points: 10, windowSeconds: 3_600, key: 'user' },
  run_issue: { points: 30, windowSeconds: 3_600, key: 'user' },
  // Every later turn of an agent includes the note, at a cost. One a minute is enough for a conversation.
  send_message: { points: 60, windowSeconds: 3_600, key: 'user' },
  import_issue: { points: 30, windowSeconds: 3_600, key: 'user' },
  start_codehost_login: { points: 20, windowSeconds: 60, key: 'ip' },
  create_repo: { points: 5, windowSeconds: 3_600, key: 'user' },
  list_codehost_repos: { points: 30, windowSeconds: 60, key: 'user' },
  // All other mutations, except those that end sessions. Two a second for a minute leave room for clean-up scripts, and
  // bound the database writes of one account.
  mutation: { points: 120, windowSeconds: 60, key: 'user' },
} as const satisfies Record<string, { points: number; windowSeconds: number; key: 'ip' | 'user' }>;

export type RateLimitName = keyof typeof rateLimits;

export interface LimitVerdict {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Milliseconds until the window ends. */
  readonly resetMs: number;
}

/** Counts requests. An adapter that cannot reach its store counts in memory, so that limits always hold. */
export interface Limiter {
  consume(name: RateLimitName, key: string): Promise<LimitVerdict>;
  /** Counts a failed login at an account, from any client. Refuses no request. */
  noteFailedLogin(account: string): Promise<void>;
  /** The failed logins at an account within the window. */
  failedLogins(account: string): Promise<number>;
  /** Rejects when the store is unreachable; for the readiness probe. */
  check(signal: AbortSignal): Promise<void>;
}

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
