import { createCookieJar } from './cookie-jar.ts';
import type { CookieStore } from './cookie-store.ts';
import { type Fetch, serverFetch } from './server-fetch.ts';
import { toSluiceError } from './to-sluice-error.ts';

export interface SessionFetchOptions {
  /** Address of the server, as in `SluiceClientOptions`. */
  readonly url: string;
  /** Stores the session. */
  readonly cookies: CookieStore;
  /** An API token, instead of the session. */
  readonly token?: string | undefined;
  /** How long to wait for the response headers, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * `fetch` with the session of a client that shares these cookies, for requests that have no typed call. It follows no
 * redirect, and sends the session to no other origin. Any answer counts as a success.
 *
 * @throws SluiceError when there is no answer
 */
export function sessionFetch({ url, cookies, token, timeoutMs }: SessionFetchOptions): Fetch {
  const { origin } = new URL(url);
  const by = token === undefined ? createCookieJar(cookies, origin) : { token, origin };
  const send = serverFetch((input, init) => fetch(input, init), by);
  return async (input, init = {}) => {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(new DOMException('timeout', 'TimeoutError')), timeoutMs);
    try {
      const signals = [timeout.signal, ...(init.signal ? [init.signal] : [])];
      return await send(input, { ...init, signal: AbortSignal.any(signals) });
    } catch (error) {
      throw toSluiceError(timeout.signal.aborted ? timeout.signal.reason : error, { origin, timeoutMs });
    } finally {
      clearTimeout(timer); // the body may take longer: it can be an event stream
    }
  };
}
