import type { Fetch } from './server-fetch.ts';
import { SluiceError } from './sluice-error.ts';
import { foreignAnswer } from './to-sluice-error.ts';

/** `fetch` for calls. A Sluice server always answers in JSON; any other answer becomes an error with its status. */
export function jsonFetch(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (/^application\/json\b/i.test(response.headers.get('content-type') ?? '')) return response;
    await response.body?.cancel();
    const { status } = response;
    const fault = foreignAnswer(status, new URL(input));
    throw new SluiceError({ ...fault, status, errors: [], retryAfterMs: null, requestId: null, body: {} });
  };
}
