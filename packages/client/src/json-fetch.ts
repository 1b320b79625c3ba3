import type { Fetch } from './server-fetch.ts';
import { SluiceError } from './sluice-error.ts';
import { foreign } from './to-sluice-error.ts';

/** `fetch` for calls, which a Sluice server always answers in JSON: a page of something else ends here, with its status. */
export function jsonFetch(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (/^application\/json\b/i.test(response.headers.get('content-type') ?? '')) return response;
    await response.body?.cancel();
    const { status } = response;
    const said = foreign(status, new URL(input));
    throw new SluiceError({ ...said, status, errors: [], retryAfterMs: null, requestId: null, body: {} });
  };
}
