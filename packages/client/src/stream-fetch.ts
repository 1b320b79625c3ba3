import { TRPCClientError } from '@trpc/client';
import type { Fetch } from './server-fetch.ts';

/** A server that restarts, as what stands before it tells. Thrown, it is a lost connection: the stream is taken up again. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * `fetch` for a stream: it waits `timeoutMs` for the head of the answer, not for its end.
 *
 * @param onRefused told of an answer that is no stream: the event source itself would know its status alone
 */
export function streamFetch(fetch: Fetch, timeoutMs: number, onRefused: (error: unknown) => void): Fetch {
  return async (input, init = {}) => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new DOMException('No answer.', 'TimeoutError')), timeoutMs);
    try {
      const given = init.signal ?? null;
      const signal = given === null ? late.signal : AbortSignal.any([given, late.signal]);
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
