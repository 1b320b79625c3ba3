import { TRPCClientError } from '@trpc/client';
import type { Fetch } from './server-fetch.ts';

/** A proxy's answers while the server restarts. Throwing makes them a lost connection, after which the stream reconnects. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * `fetch` for a stream, with a timeout for the response headers only.
 *
 * @param onRefused called with the error when the answer is not a stream; the event source keeps only its status
 */
export function streamFetch(fetch: Fetch, timeoutMs: number, onRefused: (error: unknown) => void): Fetch {
  return async (input, init = {}) => {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(new DOMException('No answer.', 'TimeoutError')), timeoutMs);
    try {
      const given = init.signal ?? null;
      const signal = given === null ? timeout.signal : AbortSignal.any([given, timeout.signal]);
      const response = await fetch(input, { ...init, signal });
      if (AWAY.has(response.status)) {
        await response.body?.cancel();
        throw new Error(`HTTP ${response.status}`);
      }
      if (response.status !== 200 && response.status !== 204) onRefused(await refusalOf(response));
      return response;
    } finally {
      clearTimeout(timer);
    }
  };
}

async function refusalOf(response: Response): Promise<unknown> {
  const body: unknown = await response.json().catch(() => null);
  return TRPCClientError.from((body ?? new Error('No JSON.')) as Error, { meta: { response } });
}
