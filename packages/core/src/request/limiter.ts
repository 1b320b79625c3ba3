import type { RateLimitName } from './rate-limits.ts';

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
