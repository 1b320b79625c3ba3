import {
  FAILED_LOGIN_WINDOW_SECONDS,
  type Limiter,
  type LimitVerdict,
  type RateLimit,
  type RateLimitName,
  type RateLimits,
} from '@sluice/core/request';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';

/** A request in the count of its window. */
export interface Counted {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly msBeforeNext: number;
  /** Takes it out of the count that it is in, unless that is zero. */
  takeBack(): Promise<void>;
}

/** The counter of a limit. */
export interface LimitWindow {
  count(key: string): Promise<Counted>;
}

/** Counts a request. @throws what the store throws */
export async function countIn(window: RateLimiterAbstract, key: string): Promise<Omit<Counted, 'takeBack'>> {
  try {
    const { remainingPoints: remaining, msBeforeNext } = await window.consume(key);
    return { allowed: true, remaining, msBeforeNext };
  } catch (refusal) {
    // The library rejects with its result, which is no Error; anything else is a fault.
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return { allowed: false, remaining: refusal.remainingPoints, msBeforeNext: refusal.msBeforeNext };
  }
}

/** The limiter's `limits` and `consume`, over a counter for each limit that is on. */
export function consumeFrom(
  limits: RateLimits,
  windowOf: (name: RateLimitName, bounds: { points: number; duration: number }) => LimitWindow,
): Pick<Limiter, 'limits' | 'consume'> {
  const windows = new Map(
    Object.entries(limits).flatMap(([name, limit]: [string, RateLimit | null]) => {
      if (limit === null) return [];
      const { points, windowSeconds: duration } = limit;
      return [[name, { limit, window: windowOf(name as RateLimitName, { points, duration }) }] as const];
    }),
  );
  return {
    limits,
    consume: async (name, key) => {
      const found = windows.get(name);
      return found === undefined ? UNLIMITED : await consumeOne(found, key);
    },
  };
}

const UNLIMITED: LimitVerdict = { allowed: true, remaining: Infinity, resetMs: 0, giveBack: async () => undefined };

async function consumeOne(
  { limit, window }: { readonly limit: RateLimit; readonly window: LimitWindow },
  key: string,
): Promise<LimitVerdict> {
  const askedAt = performance.now();
  const { allowed, remaining, msBeforeNext, takeBack } = await window.count(key);
  const giveBack = async () => {
    // A window that began after this one ended has counted nothing of it.
    if (performance.now() >= askedAt + msBeforeNext) return;
    await takeBack().catch(() => undefined); // the store is away, and the request stays counted
  };
  const verdict = { allowed, remaining, resetMs: Math.max(0, msBeforeNext) };
  if (allowed) return { ...verdict, giveBack };
  // The library counts refused requests too. Beside requests that are given back, they would stay in the count.
  if (limit.counts !== undefined && limit.counts !== 'all') await giveBack();
  return { ...verdict, giveBack: async () => undefined };
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
