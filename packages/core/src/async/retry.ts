import { sleep } from './sleep.ts';

/** The wait before each retry: it starts at `firstMs` and doubles up to `longestMs`. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs?: number;
  /** Spreads the waits between half and one and a half times their length, so that competitors do not meet again. */
  readonly jitter?: boolean;
}

/** The wait before the next attempt, in milliseconds. @param attempt the attempt that failed, from 1 */
export function backoffMs(attempt: number, { firstMs, longestMs = Infinity, jitter = false }: Backoff): number {
  const ms = Math.min(firstMs * 2 ** (attempt - 1), longestMs);
  return jitter ? ms * (0.5 + Math.random()) : ms;
}

export interface RetryOptions {
  readonly backoff: Backoff;
  /** How often the work is tried in all. Left out: until it succeeds or fails for good. */
  readonly attempts?: number;
  readonly isRetryable: (error: unknown) => boolean;
  /** Ends the wait between two attempts; the work has to watch it by itself. */
  readonly signal?: AbortSignal | undefined;
}

/** Tries work until it succeeds. @throws the error of the last attempt, or the signal's reason */
export async function retry<T>(options: RetryOptions, work: (attempt: number) => Promise<T>): Promise<T> {
  const { backoff, attempts = Infinity, isRetryable, signal } = options;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt >= attempts || !isRetryable(error)) throw error;
    }
    await sleep(backoffMs(attempt, backoff), signal);
  }
}
