import type { AppRouter } from '@sluice/api';
import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink, type TRPCClient } from '@trpc/client';
import { EventSource } from 'eventsource';
import { createSessionCookie } from './session-cookie.ts';

export interface SluiceClientOptions {
  /** Where the server is, e.g. `http://127.0.0.1:3000`. */
  readonly url: string;
  /** A session's cookie value kept from an earlier run. */
  readonly session?: string | null;
  /** Told the cookie's new value whenever the server sets (or, with null, clears) it, so that it can be kept. */
  readonly onSession?: (value: string | null) => void;
  /** Longest time for one answer in milliseconds; streams are not bounded by it. */
  readonly timeoutMs?: number;
}

export type SluiceClient = TRPCClient<AppRouter>;

// The server refuses larger batches; see `maxBatchSize` of its tRPC adapter.
const MAX_BATCH = 20;
const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * A typed client of a Sluice server for Node: it keeps the session cookie, and its subscriptions reconnect and go on
 * after the last event that they saw.
 */
export function createSluiceClient(options: SluiceClientOptions): SluiceClient {
  const cookie = createSessionCookie(options.session ?? null, options.onSession);
  const url = `${options.url.replace(/\/+$/, '')}/api/trpc`;
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;

  const fetchWithCookie = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const headers = new Headers(init?.headers);
    const header = cookie.header();
    if (header !== null) headers.set('cookie', header);
    const response = await fetch(input, { ...init, headers });
    cookie.takeFrom(response.headers);
    return response;
  };

  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (operation) => operation.type === 'subscription',
        true: httpSubscriptionLink({
          url,
          EventSource,
          eventSourceOptions: () => ({ fetch: (input, init) => fetchWithCookie(input, init as RequestInit) }),
        }),
        false: httpBatchLink({
          url,
          maxItems: MAX_BATCH,
          fetch: (input, init) => {
            const timeout = AbortSignal.timeout(timeoutMs);
            const given = init?.signal ?? null;
            const signal = given === null ? timeout : AbortSignal.any([given, timeout]);
            return fetchWithCookie(input as string, { ...(init as RequestInit), signal });
          },
        }),
      }),
    ],
  });
}
