import { AppError } from '@sluice/core/error';
import type { ResponseCache } from './response-cache.ts';

export interface HostFetchOptions {
  readonly api: URL;
  readonly fetch: typeof fetch;
  readonly requestMs: number;
  readonly responses: ResponseCache;
}

/**
 * `fetch` for requests with a user's token: only to the origin of the API, and limited in time and bytes. Reads are
 * conditional: a response that the host revalidates by its ETag comes from the cache for the same token.
 */
export type HostFetch = (url: string, init: RequestInit) => Promise<Response>;

const REDIRECTS = 3; // a repository renamed twice
const followed = new Set([301, 302, 307, 308]);

/**
 * Creates the `fetch` of a session, with its cache of responses.
 *
 * @param tokenKey identifies the token whose cached responses may be used; not the token itself
 */
export function hostFetch(options: HostFetchOptions, tokenKey: string): HostFetch {
  const { api, responses, requestMs } = options;
  return async (url, init) => {
    const headers = new Headers(init.headers);
    const key = `${tokenKey} ${url}`;
    const cacheable = init.method === 'GET' && !headers.has('if-none-match');
    const cached = cacheable ? responses.get(key) : undefined;
    if (cached !== undefined) headers.set('if-none-match', cached.etag);

    const deadline = AbortSignal.timeout(requestMs);
    const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
    try {
      const response = await followRedirects(url, { ...init, headers, signal }, options);
      if (response.status === 304 && cached !== undefined) {
        await response.body?.cancel();
        return new Response(cached.body, { status: 200, headers: [...cached.headers] as [string, string][] });
      }
      const body = await readBody(response);
      const etag = response.headers.get('etag');
      if (cacheable && response.status === 200 && etag !== null && body !== null) {
        responses.set(key, { etag, headers: [...response.headers], body });
      }
      return new Response(body, { status: response.status, headers: response.headers });
    } catch (error) {
      if (deadline.aborted && !init.signal?.aborted) {
        throw new AppError('codehost_unavailable', { detail: 'The code host did not respond in time.' });
      }
      throw error;
    }
  };

  /**
   * Follows redirects within the API, as of a renamed repository. Any other redirect is returned: the token must not follow
   * it. With `redirect: 'manual'`, so is one with 302, which leads to the content of a file even at the API's origin.
   */
  async function followRedirects(from: string, init: RequestInit, { fetch }: HostFetchOptions): Promise<Response> {
    let url = new URL(from);
    for (let left = REDIRECTS; ; left -= 1) {
      if (url.origin !== api.origin) throw new AppError('codehost_unavailable');
      // house-rule(host-names): only the origin that the operator named, by the check above
      const response = await fetch(url.href, { ...init, redirect: 'manual' });
      const to = redirectTarget(response, url);
      const repeatable = init.method === 'GET' || response.status >= 307; // the others mean to continue with GET
      const isContent = init.redirect === 'manual' && response.status === 302;
      if (to === null || to.origin !== api.origin || !repeatable || isContent || left === 0) return response;
      await response.body?.cancel();
      url = to;
    }
  }
}

function redirectTarget(response: Response, base: URL): URL | null {
  const location = followed.has(response.status) ? response.headers.get('location') : null;
  return location !== null && URL.canParse(location, base) ? new URL(location, base) : null;
}

const MAX_BYTES = 16 * 1024 * 1024; // twice a hundred texts of the host's maximum length (65,536 characters)

/** Reads a response up to the limit. Null for a status without a body. */
async function readBody(response: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  if (response.body === null || response.status === 204 || response.status === 205 || response.status === 304) {
    await response.body?.cancel();
    return null;
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body) {
    bytes += part.byteLength;
    // Leaving the loop cancels the stream.
    if (bytes > MAX_BYTES) {
      throw new AppError('codehost_unavailable', { detail: "The code host's response is too large." });
    }
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts, bytes));
}
