import {
  createTRPCUntypedClient,
  httpLink,
  httpSubscriptionLink,
  splitLink,
  type TRPCUntypedClient,
} from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import { EventSource } from 'eventsource';
import type { MutationOptions, StreamListener } from './call.ts';
import { createCookieJar } from './cookie-jar.ts';
import { type CookieStore, memoryCookies } from './cookie-store.ts';
import { jsonFetch } from './json-fetch.ts';
import type { ServerCalls } from './server-calls.ts';
import { type Fetch, serverFetch } from './server-fetch.ts';
import { streamFetch } from './stream-fetch.ts';
import { toSluiceError } from './to-sluice-error.ts';

export interface SluiceClientOptions {
  /** Address of the server, e.g. `http://127.0.0.1:3000`, with the path before `/api` if there is one. */
  readonly url: string;
  /** Used instead of the global `fetch`. */
  readonly fetch?: Fetch;
  /** Stores the session outside a browser; by default in memory. In a browser, or with `'browser'`, the browser does. */
  readonly cookies?: CookieStore | 'browser';
  /** An API token (`slc_…`), instead of a session. Then no cookie is sent or stored. */
  readonly token?: string;
  /** Timeout of one answer in milliseconds, 60,000 by default. For a stream it limits the wait for the response headers. */
  readonly timeoutMs?: number;
}

export type SluiceClient = ServerCalls;

const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * A typed client of a Sluice server. Each call is one request, because a batch would share one timeout, one cancellation
 * and one `Retry-After`. A call fails with a `SluiceError`, or with the reason of its signal.
 *
 * @throws TypeError when `url` is not an http(s) address
 */
export function createSluiceClient(options: SluiceClientOptions): SluiceClient {
  const base = new URL(options.url);
  if (base.protocol !== 'http:' && base.protocol !== 'https:')
    throw new TypeError(`${options.url} is not an http(s) address`);
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const cookies = options.cookies ?? (isBrowser() ? 'browser' : memoryCookies());
  const session = cookies === 'browser' ? cookies : createCookieJar(cookies, base.origin);
  const by = options.token === undefined ? session : { token: options.token, origin: base.origin };
  const send = serverFetch(options.fetch ?? ((input, init) => fetch(input, init)), by);
  const ask = jsonFetch(send);
  const url = `${base.origin}${base.pathname.replace(/\/+$/, '')}/api/trpc`;
  const untyped = createTRPCUntypedClient<AnyTRPCRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: httpSubscriptionLink({
          url,
          EventSource,
          eventSourceOptions: ({ op }) => {
            const stream = streamFetch(send, timeoutMs, op.context.onRefused as (error: unknown) => void);
            return { fetch: (input, init) => stream(input, init as RequestInit) };
          },
        }),
        false: httpLink({
          url,
          fetch: (input, init) => ask(input as string, init as RequestInit),
          headers: ({ op }) => op.context.headers as Record<string, string>,
        }),
      }),
    ],
  });
  return callsOf(untyped, { origin: base.origin, timeoutMs }) as unknown as SluiceClient;
}

function isBrowser(): boolean {
  return 'document' in globalThis || 'WorkerGlobalScope' in globalThis;
}

interface Server {
  readonly origin: string;
  readonly timeoutMs: number;
}

const verbs: Readonly<Record<string, 'query' | 'mutation'>> = { query: 'query', mutate: 'mutation' };

/** `client.issues.get.query(…)` as a call of the procedure `issues.get`. */
function callsOf(untyped: TRPCUntypedClient<AnyTRPCRouter>, server: Server, path: readonly string[] = []): unknown {
  return new Proxy(() => {}, {
    get(_target, key) {
      // An awaited or printed client is not a procedure.
      if (typeof key !== 'string' || key === 'then') return undefined;
      return callsOf(untyped, server, [...path, key]);
    },
    apply(_target, _this, [input, last]: [unknown, unknown]) {
      const verb = path.at(-1) ?? '';
      const procedure = path.slice(0, -1).join('.');
      if (verb === 'subscribe')
        return follow(untyped, server, { procedure, input, listener: last as StreamListener<unknown> });
      const kind = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
      if (kind === undefined)
        throw new TypeError(`${path.join('.')} is not a call. A call ends in query, mutate or subscribe.`);
      return call(untyped, server, { kind, procedure, input, options: last as MutationOptions | undefined });
    },
  });
}

async function call(
  untyped: TRPCUntypedClient<AnyTRPCRouter>,
  server: Server,
  request: { kind: 'query' | 'mutation'; procedure: string; input: unknown; options: MutationOptions | undefined },
): Promise<unknown> {
  const { kind, procedure, input, options } = request;
  const timeoutMs = options?.timeoutMs ?? server.timeoutMs;
  const given = options?.signal;
  given?.throwIfAborted();
  const key = options?.idempotencyKey;
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = given === undefined ? timeout : AbortSignal.any([given, timeout]);
  try {
    return await untyped[kind](procedure, input, { signal, context: { headers } });
  } catch (error) {
    if (given?.aborted === true) throw given.reason;
    // tRPC reports every aborted request alike.
    throw toSluiceError(timeout.aborted ? timeout.reason : error, { ...server, timeoutMs });
  }
}

function follow(
  untyped: TRPCUntypedClient<AnyTRPCRouter>,
  server: Server,
  request: { procedure: string; input: unknown; listener: StreamListener<unknown> },
): { unsubscribe(): void } {
  const { procedure, input, listener } = request;
  let wasOpen = false;
  let refusal: unknown = null;
  let lastEventId: string | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let isOver = false; // a listener may unsubscribe in any callback, even before `subscribe` has returned
  const onRefused = (error: unknown) => {
    refusal = error;
  };
  const subscribe = () =>
    untyped.subscription(procedure, lastEventId === undefined ? input : { ...(input as object), lastEventId }, {
      context: { onRefused },
      onData: (message) => {
        const event = message as Parameters<typeof listener.onData>[0];
        lastEventId = event.id ?? lastEventId;
        listener.onData(event);
      },
      onError: (error) => {
        const failure = toSluiceError(refusal ?? error, server);
        // The server may still count the lost connection of this stream, so retry when it says.
        if (failure.code === 'too_many_streams' && failure.retryAfterMs !== null && lastEventId !== undefined) {
          refusal = null;
          retry = setTimeout(() => {
            current = subscribe();
            if (isOver) current.unsubscribe();
          }, failure.retryAfterMs);
          listener.onConnection?.('lost');
        } else listener.onError?.(failure);
      },
      onComplete: () => listener.onComplete?.(),
      onConnectionStateChange: ({ state }) => {
        if (state === 'pending') wasOpen = true;
        if (state === 'idle') return;
        listener.onConnection?.(state === 'pending' ? 'open' : wasOpen ? 'lost' : 'connecting');
      },
    });
  let current = subscribe();
  return {
    unsubscribe: () => {
      isOver = true;
      clearTimeout(retry);
      current.unsubscribe();
    },
  };
}
