import type { Clock } from '@sluice/core/async';
import { errorAnswer, type HostAnswer } from './answer.ts';

/** The quota of each token in a window of time. */
export interface RateLimit {
  /** The answer where nothing is left, else null. */
  refuse(key: string): HostAnswer | null;
  /** Counts an answer and adds the headers that tell of it. What was not modified costs nothing. */
  count(key: string, answer: HostAnswer): HostAnswer;
}

export interface Quota {
  readonly resource: 'core' | 'search';
  readonly limit: number;
  readonly windowMs: number;
}

export function openRateLimit(clock: Clock, quota: Quota): RateLimit {
  const windows = new Map<string, { used: number; resetAt: number }>();
  const windowOf = (key: string) => {
    const found = windows.get(key);
    if (found !== undefined && found.resetAt > clock.now().getTime()) return found;
    const fresh = { used: 0, resetAt: clock.now().getTime() + quota.windowMs };
    windows.set(key, fresh);
    return fresh;
  };
  const told = (key: string) => {
    const { used, resetAt } = windowOf(key);
    return rateHeaders({ ...quota, used, resetAt });
  };
  return {
    refuse: (key) =>
      windowOf(key).used < quota.limit ? null : withHeaders(errorAnswer(403, 'API rate limit exceeded.'), told(key)),
    count: (key, answer) => {
      if (answer.status !== 304) windowOf(key).used += 1;
      return withHeaders(answer, told(key));
    },
  };
}

export function rateHeaders({
  resource,
  limit,
  used,
  resetAt,
}: Omit<Quota, 'windowMs'> & { used: number; resetAt: number }) {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(Math.max(0, limit - used)),
    'x-ratelimit-used': String(used),
    'x-ratelimit-reset': String(Math.ceil(resetAt / 1000)),
    'x-ratelimit-resource': resource,
  };
}

/** What a handler or a fault says itself is kept. */
export function withHeaders(answer: HostAnswer, headers: Record<string, string>): HostAnswer {
  return { ...answer, headers: { ...headers, ...answer.headers } };
}
