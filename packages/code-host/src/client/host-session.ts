import { createHash } from 'node:crypto';
import type { Octokit } from '@octokit/core';
import { RequestError } from '@octokit/request-error';
import { type Clock, createKeyedMutex, untilAborted } from '@sluice/core/async';
import type { CodeHostCall } from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';
import { scrub } from '@sluice/core/text';
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import type { HostAddress } from './host-address.ts';
import { hostFailure, unexpectedResponse } from './host-failure.ts';
import type { HostFetch } from './host-fetch.ts';
import type { OctokitFor } from './host-octokit.ts';

/** One request: a route of the host's API (`GET /user`), its parameters, and the schema of the response. */
export interface HostRequest<T> {
  readonly route: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly schema: z.ZodType<T>;
  /** A POST that changes nothing at the host. */
  readonly reads?: boolean;
  /** The form of the answer; that of the API by default. */
  readonly accept?: string;
}

interface HostResponse<T> {
  readonly data: T;
  readonly etag: string | null;
  /** The pages that the response links to, when the list has several. */
  readonly next: number | null;
  readonly last: number | null;
}

/** Sends the requests of one call of the port, with its token, signal and deadline. */
export interface HostSession {
  readonly address: HostAddress;
  readonly tokenKey: string;
  readonly signal: AbortSignal;
  /** Takes the token out of a text of the host. */
  withoutToken(text: string): string;
  /** @throws AppError of the port's codes */
  send<T>(request: HostRequest<T>): Promise<HostResponse<T>>;
  /** The same, or null when nothing has changed since the host returned that ETag. */
  sendIfChanged<T>(request: HostRequest<T>, etag: string | null): Promise<HostResponse<T> | null>;
  /**
   * Finds the host's address of a file: the target of its redirect, which is not requested. Null when it does not
   * redirect.
   */
  locate(request: Pick<HostRequest<unknown>, 'route' | 'parameters'>): Promise<URL | null>;
}

export interface HostSessionsContext {
  readonly address: HostAddress;
  readonly clock: Clock;
  readonly callMs: number;
  readonly fetchFor: (tokenKey: string) => HostFetch;
  readonly octokit: (request: OctokitFor) => Octokit;
}

export type HostSessions = <T>(call: CodeHostCall, work: (host: HostSession) => Promise<T>) => Promise<T>;

const REMEMBERED_TOKENS = 1_000; // more tokens than exhaust their quota at the same time

/**
 * Runs calls of the port. Each token has one write at a time, and no request before the time until which the host asked to
 * wait with requests of its kind: the host blocks clients that ignore it for longer.
 */
export function createHostSessions(context: HostSessionsContext): HostSessions {
  const { address, clock, callMs } = context;
  const writes = createKeyedMutex();
  const waitUntil = new LRUCache<string, number>({ max: REMEMBERED_TOKENS });

  async function request(
    host: { octokit: Octokit; session: HostSession; token: string; send: GuardedFetch },
    options: RequestOptions,
  ) {
    const { octokit, session, token, send: guarded } = host;
    const { route, parameters, headers } = options;
    const leftOf = (key: string) => (waitUntil.get(key) ?? 0) - clock.now().getTime();
    const left = leftOf(session.tokenKey);
    if (left > 0) throw new AppError('codehost_busy', { retryAfterMs: left });
    const searchKey = `${session.tokenKey} search`;
    if (isSearch(route) && leftOf(searchKey) > 0) throw tooManySearches(leftOf(searchKey));
    const send = () =>
      octokit.request(route, {
        ...parameters,
        headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28', ...headers },
        // A POST whose response was lost may have succeeded: the caller checks.
        request: {
          signal: session.signal,
          fetch: guarded.fetch,
          ...(options.redirect === undefined ? {} : { redirect: options.redirect }),
          ...(isRead(options) || !route.startsWith('POST ') ? {} : { retries: 0 }),
        },
      });
    try {
      const work = () => untilAborted(send(), session.signal);
      return await (isRead(options) ? work() : writes.run(session.tokenKey, work, session.signal));
    } catch (error) {
      if (error instanceof RequestError && error.status === 304) return null;
      if (guarded.refusal !== null) throw guarded.refusal.reason;
      session.signal.throwIfAborted();
      const failure = hostFailure(error, { route, token, now: clock.now() });
      if (failure.code === 'codehost_busy') {
        const { retryAfterMs = 0 } = failure.details;
        const isSearchQuota = isSearch(route) && isOutOfQuota(error);
        waitUntil.set(isSearchQuota ? searchKey : session.tokenKey, clock.now().getTime() + retryAfterMs);
        if (isSearchQuota) throw tooManySearches(retryAfterMs, failure);
      }
      throw failure;
    }
  }

  function open({ token, beforeWrite }: CodeHostCall, signal: AbortSignal): HostSession {
    const tokenKey = createHash('sha256').update(token).digest('base64url');
    const fetch = context.fetchFor(tokenKey);
    const octokit = context.octokit({ token, tokenKey, fetch });
    const sendConditionally = async <T>(
      { schema, ...options }: HostRequest<T>,
      etag: string | null,
    ): Promise<HostResponse<T> | null> => {
      const headers = {
        ...(etag !== null && { 'if-none-match': etag }),
        ...(options.accept !== undefined && { accept: options.accept }),
      };
      const response = await request(
        { octokit, session, token, send: guardedFetch(fetch, isRead(options) ? undefined : beforeWrite) },
        { ...options, headers },
      );
      if (response === null) return null;
      const read = response.status < 300 ? schema.safeParse(response.data) : null;
      if (!read?.success) throw unexpectedResponse(options.route);
      const { link, etag: returned } = response.headers;
      return {
        data: read.data,
        etag: returned ?? null,
        next: linkedPage(link, 'next'),
        last: linkedPage(link, 'last'),
      };
    };
    const session: HostSession = {
      address,
      tokenKey,
      signal,
      withoutToken: (text) => scrub(text, [token]),
      sendIfChanged: sendConditionally,
      send: async (request) => {
        const response = await sendConditionally(request, null);
        if (response === null) throw unexpectedResponse(request.route);
        return response;
      },
      locate: async ({ route, parameters = {} }) => {
        const options = { route, parameters, headers: {}, redirect: 'manual' } as const;
        const response = await request({ octokit, session, token, send: guardedFetch(fetch, undefined) }, options);
        const location = response?.status === 302 ? String(response.headers.location ?? '') : '';
        return URL.canParse(location, address.api) ? new URL(location, address.api) : null;
      },
    };
    return session;
  }

  return async (call, work) => {
    call.signal.throwIfAborted();
    const deadline = AbortSignal.timeout(callMs);
    try {
      return await work(open(call, AbortSignal.any([call.signal, deadline])));
    } catch (error) {
      // Aborted by the caller, which is not a failure of the host.
      call.signal.throwIfAborted();
      if (!deadline.aborted) throw error;
      throw new AppError('codehost_unavailable', { detail: 'The code host did not respond in time.' });
    }
  };
}

function isRead({ route, reads = false }: Pick<HostRequest<unknown>, 'route' | 'reads'>): boolean {
  return reads || route.startsWith('GET ');
}

function isSearch(route: string): boolean {
  return route.startsWith('GET /search/');
}

/** Searches have a small quota of their own. One that is used up leaves the other requests alone; other refusals do not. */
function isOutOfQuota(error: unknown): boolean {
  return error instanceof RequestError && error.response?.headers['x-ratelimit-remaining'] === '0';
}

function tooManySearches(retryAfterMs: number, cause?: unknown): AppError {
  const seconds = Math.ceil(retryAfterMs / 1_000);
  const detail = `The code host allows few searches a minute, and there were more. Search again in ${seconds} s, or list the issues without a search.`;
  return new AppError('codehost_busy', { retryAfterMs, detail }, { cause });
}

/** The fetch of one request, and why its caller did not let it be sent. */
interface GuardedFetch {
  readonly fetch: HostFetch;
  readonly refusal: { readonly reason: unknown } | null;
}

/** Asks the caller before each write is sent. Its refusal is kept, because octokit reports it as a failure of the host. */
function guardedFetch(send: HostFetch, beforeWrite: CodeHostCall['beforeWrite']): GuardedFetch {
  if (beforeWrite === undefined) return { fetch: send, refusal: null };
  const guarded: { fetch: HostFetch; refusal: GuardedFetch['refusal'] } = {
    refusal: null,
    async fetch(url, init) {
      if (init.method !== 'GET') {
        await beforeWrite().catch((reason: unknown) => {
          guarded.refusal = { reason };
          throw reason;
        });
        guarded.refusal = null; // octokit asked again, and may send now
      }
      return await send(url, init);
    },
  };
  return guarded;
}

interface RequestOptions extends Pick<HostRequest<unknown>, 'route' | 'parameters' | 'reads'> {
  readonly headers: Readonly<Record<string, string>>;
  readonly redirect?: 'manual';
}

const LINK = /<([^<>]+)>;\s*rel="(\w+)"/g;

/** The page number in a `Link` header, such as that of `next`. Its URL is not used. */
function linkedPage(link: string | undefined, relation: string): number | null {
  for (const [, target = '', named] of (link ?? '').matchAll(LINK)) {
    if (named !== relation || !URL.canParse(target)) continue;
    const page = Number(new URL(target).searchParams.get('page'));
    return Number.isSafeInteger(page) && page > 0 ? page : null;
  }
  return null;
}
