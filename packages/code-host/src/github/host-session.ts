import { createHash } from 'node:crypto';
import type { Octokit } from '@octokit/core';
import { RequestError } from '@octokit/request-error';
import { AppError, type Clock, type CodeHostCall, createKeyedMutex, untilAborted } from '@sluice/core';
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import type { HostAddress } from './host-address.ts';
import { hostFailure, senselessAnswer } from './host-failure.ts';
import type { HostFetch } from './host-fetch.ts';
import type { OctokitFor } from './host-octokit.ts';
import { linkedPage } from './linked-page.ts';

/** One request: a route of the host's API (`GET /user`), what is put into it, and what is used of its answer. */
export interface Asked<T> {
  readonly route: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly shape: z.ZodType<T>;
}

interface HostAnswer<T> {
  readonly data: T;
  readonly etag: string | null;
  /** The pages that the answer links to, where it is one of several. */
  readonly next: number | null;
  readonly last: number | null;
}

/** The requests of one call of the port: its token, its signal and its time. */
export interface HostSession {
  readonly address: HostAddress;
  readonly tokenKey: string;
  readonly signal: AbortSignal;
  /** @throws AppError of the port's codes */
  ask<T>(asked: Asked<T>): Promise<HostAnswer<T>>;
  /** The same, or null when the host says that nothing has changed since it gave that ETag. */
  askIfChanged<T>(asked: Asked<T>, etag: string | null): Promise<HostAnswer<T> | null>;
}

export interface HostSessionsContext {
  readonly address: HostAddress;
  readonly clock: Clock;
  readonly callMs: number;
  readonly fetchFor: (tokenKey: string) => HostFetch;
  readonly octokit: (request: OctokitFor) => Octokit;
}

export type HostSessions = <T>(call: CodeHostCall, work: (host: HostSession) => Promise<T>) => Promise<T>;

const REMEMBERED_TOKENS = 1_000; // more than have used up their quota at the same time

/**
 * Runs calls of the port. With one token there is one write at a time, and no request before the time that the host asked
 * to wait until: whoever goes on asking is shut out for longer.
 */
export function createHostSessions(context: HostSessionsContext): HostSessions {
  const { address, clock, callMs } = context;
  const writes = createKeyedMutex();
  const waitUntil = new LRUCache<string, number>({ max: REMEMBERED_TOKENS });

  async function request(host: { octokit: Octokit; session: HostSession; token: string }, options: RequestOptions) {
    const { octokit, session, token } = host;
    const { route, parameters, headers } = options;
    const left = (waitUntil.get(session.tokenKey) ?? 0) - clock.now().getTime();
    if (left > 0) throw new AppError('codehost_busy', { retryAfterMs: left });
    const send = () =>
      octokit.request(route, {
        ...parameters,
        headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28', ...headers },
        // What a lost answer may have done already is for the caller to look up.
        request: { signal: session.signal, ...(route.startsWith('POST ') ? { retries: 0 } : {}) },
      });
    try {
      const work = () => untilAborted(send(), session.signal);
      return await (route.startsWith('GET ') ? work() : writes.run(session.tokenKey, work, session.signal));
    } catch (error) {
      if (error instanceof RequestError && error.status === 304) return null;
      session.signal.throwIfAborted();
      const failure = hostFailure(error, { route, token, now: clock.now() });
      if (failure.code === 'codehost_busy') {
        waitUntil.set(session.tokenKey, clock.now().getTime() + (failure.details.retryAfterMs ?? 0));
      }
      throw failure;
    }
  }

  function open({ token }: CodeHostCall, signal: AbortSignal): HostSession {
    const tokenKey = createHash('sha256').update(token).digest('base64url');
    const octokit = context.octokit({ token, tokenKey, fetch: context.fetchFor(tokenKey) });
    const ask = async <T>({ shape, ...asked }: Asked<T>, etag: string | null): Promise<HostAnswer<T> | null> => {
      const headers = etag === null ? {} : { 'if-none-match': etag };
      const answer = await request({ octokit, session, token }, { ...asked, headers });
      if (answer === null) return null;
      const read = answer.status < 300 ? shape.safeParse(answer.data) : null;
      if (!read?.success) throw senselessAnswer(asked.route);
      const { link, etag: given } = answer.headers;
      return { data: read.data, etag: given ?? null, next: linkedPage(link, 'next'), last: linkedPage(link, 'last') };
    };
    const session: HostSession = {
      address,
      tokenKey,
      signal,
      askIfChanged: ask,
      ask: async (asked) => {
        const answer = await ask(asked, null);
        if (answer === null) throw senselessAnswer(asked.route);
        return answer;
      },
    };
    return session;
  }

  return async (call, work) => {
    call.signal.throwIfAborted();
    const time = AbortSignal.timeout(callMs);
    try {
      return await work(open(call, AbortSignal.any([call.signal, time])));
    } catch (error) {
      // Whoever asked has stopped: that is no fault of the host.
      call.signal.throwIfAborted();
      if (!time.aborted) throw error;
      throw new AppError('codehost_unavailable', { detail: 'The code host did not answer in time.' });
    }
  };
}

interface RequestOptions extends Pick<Asked<unknown>, 'route' | 'parameters'> {
  readonly headers: Readonly<Record<string, string>>;
}
