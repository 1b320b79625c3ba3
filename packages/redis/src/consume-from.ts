import { FAILED_LOGIN_WINDOW_SECONDS, type Limiter, type LimitVerdict } from '@sluice/core';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';

/** Consumes a point from the window counter of a limit. */
export function consumeFrom(windows: ReadonlyMap<string, RateLimiterAbstract>): Limiter['consume'] {
  return async (name, key) => {
    const window = windows.get(name);
    if (window === undefined) throw new Error(`There is no rate limit ${name}.`);
    try {
      return verdict(true, await window.consume(key));
    } catch (refusal) {
      // The library rejects with its result, which is no Error; anything else is a fault.
      if (refusal instanceof RateLimiterRes) return verdict(false, refusal);
      throw refusal;
    }
  };
}

function verdict(allowed: boolean, result: RateLimiterRes): LimitVerdict {
  return { allowed, remaining: result.remainingPoints, resetMs: Math.max(0, result.msBeforeNext) };
}

/** The window for failed logins. They are counted only, so no number is too many. */
export const failedLoginWindow = { points: Number.MAX_SAFE_INTEGER, duration: FAILED_LOGIN_WINDOW_SECONDS };

/** The limiter's methods for failed logins, over a counter with that window. */
export function failedLoginsIn(window: RateLimiterAbstract): Pick<Limiter, 'noteFailedLogin' | 'failedLogins'> {
  return {
    noteFailedLogin: async (account) => void (await window.consume(account)),
    failedLogins: async (account) => (await window.get(account))?.consumedPoints ?? 0,
  };
}
