import type { CookieJar } from './cookie-jar.ts';
import { SluiceError } from './sluice-error.ts';

/** The part of `fetch` that a client needs. */
export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** An API token, and the only origin that it is sent to. */
export interface SentToken {
  readonly token: string;
  readonly origin: string;
}

/**
 * `fetch` with the session's cookies, from the jar in Node and from the browser itself in a browser, or with an API token.
 *
 * Redirects are not followed, because they could turn a POST into a GET or send its body elsewhere. The error names the
 * target instead.
 */
export function serverFetch(fetch: Fetch, by: CookieJar | 'browser' | SentToken): Fetch {
  const jar = by !== 'browser' && 'headerFor' in by ? by : null;
  return async (input, init = {}) => {
    const url = new URL(input);
    const headers = new Headers(init.headers);
    const cookie = (await jar?.headerFor(url)) ?? null;
    if (cookie !== null) headers.set('cookie', cookie);
    if (by !== 'browser' && 'token' in by && url.origin === by.origin)
      headers.set('authorization', `Bearer ${by.token}`);
    const session: RequestInit = jar !== null ? {} : { credentials: by === 'browser' ? 'include' : 'omit' };
    const response = await fetch(url, { ...init, ...session, headers, redirect: 'manual' });
    await jar?.takeFrom(url, response.headers);
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
      throw redirected(response, url);
    }
    return response;
  };
}

function redirected(response: Response, url: URL): SluiceError {
  const location = response.headers.get('location');
  const target = location !== null && URL.canParse(location, url.href) ? new URL(location, url).origin : null;
  const remedy = target === null || target === url.origin ? 'Check the address.' : `Use ${target} if you trust it.`;
  return new SluiceError({
    code: 'unexpected_answer',
    status: response.status === 0 ? null : response.status,
    detail: `${url.origin} redirects elsewhere. ${remedy}`,
    errors: [],
    retryAfterMs: null,
    requestId: null,
    body: {},
  });
}
