import type { RateLimitName } from './rate-limits.ts';

export interface LimitVerdict {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Milliseconds until the window ends. */
  readonly resetMs: number;
}

/** Counts requests. An adapter whose store is away keeps counting in memory: a limit is never dropped. */
export interface Limiter {
  consume(name: RateLimitName, key: string): Promise<LimitVerdict>;
  /** Counts a failed login at an account, whoever came; it refuses nobody. */
  noteFailedLogin(account: string): Promise<void>;
  /** How many have failed there within the window. */
  failedLogins(account: string): Promise<number>;
  /** Rejects when the cache store is unreachable; for the readiness probe. */
  check(signal: AbortSignal): Promise<void>;
}
