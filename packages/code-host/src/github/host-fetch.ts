import { AppError } from '@sluice/core';
import type { AnswerCache } from './answer-cache.ts';
import { boundedBody } from './bounded-body.ts';

export interface HostFetchOptions {
  readonly api: URL;
  readonly fetch: typeof fetch;
  readonly requestMs: number;
  readonly answers: AnswerCache;
}

/**
 * `fetch` for requests that carry a user's token: to the API's own origin and nowhere else, with an end in time and in
 * bytes. Reads are conditional: what the host confirms by its ETag is answered from what was kept for the same token.
 */
export type HostFetch = (url: string, init: RequestInit) => Promise<Response>;

const REDIRECTS = 3; // a repository renamed twice
const followed = new Set([301, 302, 307, 308]);

/** @param tokenKey tells whose answers may be used; not the token itself */
export function hostFetch(options: HostFetchOptions, tokenKey: string): HostFetch {
  const { api, answers, requestMs } = options;
  return async (url, init) => {
    const headers = new Headers(init.headers);
    const key = `${tokenKey} ${url}`;
    const cacheable = init.method === 'GET' && !headers.has('if-none-match');
    const kept = cacheable ? answers.get(key) : undefined;
    if (kept !== undefined) headers.set('if-none-match', kept.etag);

    const time = AbortSignal.timeout(requestMs);
    const signal = init.signal ? AbortSignal.any([init.signal, time]) : time;
    try {
      const answer = await followRedirects(url, { ...init, headers, signal }, options);
      if (answer.status === 304 && kept !== undefined) {
        await answer.body?.cancel();
        return new Response(kept.body, { status: 200, headers: [...kept.headers] as [string, string][] });
      }
      const body = await boundedBody(answer);
      const etag = answer.headers.get('etag');
      if (cacheable && answer.status === 200 && etag !== null && body !== null) {
        answers.set(key, { etag, headers: [...answer.headers], body });
      }
      return new Response(body, { status: answer.status, headers: answer.headers });
    } catch (error) {
      if (time.aborted && !init.signal?.aborted) {
        throw new AppError('codehost_unavailable', { detail: 'The code host did not answer in time.' });
      }
      throw error;
    }
  };

  /** A renamed repository redirects within the API. One to elsewhere is given back as it is: the token stays here. */
  async function followRedirects(from: string, init: RequestInit, { fetch }: HostFetchOptions): Promise<Response> {
    let url = new URL(from);
    for (let left = REDIRECTS; ; left -= 1) {
      if (url.origin !== api.origin) throw new AppError('codehost_unavailable');
      const answer = await fetch(url.href, { ...init, redirect: 'manual' });
      const to = redirectTarget(answer, url);
      const repeatable = init.method === 'GET' || answer.status >= 307; // others tell to go on with a GET
      if (to === null || to.origin !== api.origin || !repeatable || left === 0) return answer;
      await answer.body?.cancel();
      url = to;
    }
  }
}

function redirectTarget(answer: Response, base: URL): URL | null {
  const location = followed.has(answer.status) ? answer.headers.get('location') : null;
  return location !== null && URL.canParse(location, base) ? new URL(location, base) : null;
}
