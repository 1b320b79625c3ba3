import type { Fetch } from './server-fetch.ts';

/** A server that restarts, as what stands before it tells. Thrown, it is a lost connection: the stream is taken up again. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * `fetch` for a stream: it waits `timeoutMs` for the head of the answer, not for its end.
 *
 */
export function streamFetch(fetch: Fetch, timeoutMs: number): Fetch {
  return async (input, init = {}) => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new DOMException('No answer.', 'TimeoutError')), timeoutMs);
    try {
      const given = init.signal ?? null;
      const signal = given === null ? late.signal : AbortSignal.any([given, late.signal]);
      const response = await fetch(input, { ...init, signal });
      if (!AWAY.has(response.status)) return response;
      await response.body?.cancel();
      throw new Error(`HTTP ${response.status}`);
    } finally {
      clearTimeout(timer);
    }
  };
}
