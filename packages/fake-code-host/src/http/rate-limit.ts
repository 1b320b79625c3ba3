import type { Clock } from '@sluice/core';
import { errorAnswer, type HostAnswer } from './answer.ts';

/** One hour's quota of each token. */
export interface RateLimit {
  /** The answer where nothing is left, else null. */
  refuse(key: string): HostAnswer | null;
  /** Counts an answer and adds the headers that tell of it. What was not modified costs nothing. */
  count(key: string, answer: HostAnswer): HostAnswer;
}

const HOUR = 3_600_000;

export function openRateLimit(clock: Clock, limit: number): RateLimit {
  const windows = new Map<string, { used: number; resetAt: number }>();
  const windowOf = (key: string) => {
    const found = windows.get(key);
    if (found !== undefined && found.resetAt > clock.now().getTime()) return found;
    const fresh = { used: 0, resetAt: clock.now().getTime() + HOUR };
    windows.set(key, fresh);
    return fresh;
  };
  const told = (key: string) => {
    const { used, resetAt } = windowOf(key);
    return rateHeaders({ limit, used, resetAt });
  };
  return {
    refuse: (key) =>
      windowOf(key).used < limit ? null : withHeaders(errorAnswer(403, 'API rate limit exceeded.'), told(key)),
    count: (key, answer) => {
      if (answer.status !== 304) windowOf(key).used += 1;
      return withHeaders(answer, told(key));
    },
  };
}

export function rateHeaders({ limit, used, resetAt }: { limit: number; used: number; resetAt: number }) {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(Math.max(0, limit - used)),
    'x-ratelimit-used': String(used),
    'x-ratelimit-reset': String(Math.ceil(resetAt / 1000)),
    'x-ratelimit-resource': 'core',
  };
}

/** What a handler or a fault says itself is kept. */
export function withHeaders(answer: HostAnswer, headers: Record<string, string>): HostAnswer {
  return { ...answer, headers: { ...headers, ...answer.headers } };
}
