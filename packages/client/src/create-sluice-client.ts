import {
  createTRPCUntypedClient,
  httpLink,
  httpSubscriptionLink,
  splitLink,
  TRPCClientError,
  type TRPCUntypedClient,
} from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import { EventSource } from 'eventsource';
import type { MutationOptions, StreamListener } from './call.ts';
import { createCookieJar } from './cookie-jar.ts';
import { type CookieStore, memoryCookies } from './cookie-store.ts';
import type { ServerCalls } from './server-calls.ts';
import { type Fetch, serverFetch } from './server-fetch.ts';
import { SluiceError } from './sluice-error.ts';
import { foreignAnswer, toSluiceError } from './to-sluice-error.ts';

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

/** A proxy's answers while the server restarts. Throwing makes them a lost connection, after which the stream reconnects. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * `fetch` for a stream, with a timeout for the response headers only.
 *
 * @param onRefused called with the error when the answer is not a stream; the event source keeps only its status
 */
function streamFetch(fetch: Fetch, timeoutMs: number, onRefused: (error: unknown) => void): Fetch {
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

/** `fetch` for calls. A Sluice server always answers in JSON; any other answer becomes an error with its status. */
function jsonFetch(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (/^application\/json\b/i.test(response.headers.get('content-type') ?? '')) return response;
    await response.body?.cancel();
    const { status } = response;
    const fault = foreignAnswer(status, new URL(input));
    throw new SluiceError({ ...fault, status, errors: [], retryAfterMs: null, requestId: null, body: {} });
  };
}
