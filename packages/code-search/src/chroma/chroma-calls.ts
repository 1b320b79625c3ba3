import { untilAborted } from '@sluice/core/async';
import { AppError } from '@sluice/core/error';
import {
  ChromaClient,
  type ChromaClientArgs,
  ChromaConnectionError,
  ChromaForbiddenError,
  ChromaNotFoundError,
  ChromaQuotaExceededError,
  ChromaRateLimitError,
  ChromaUnauthorizedError,
} from 'chromadb';

export interface ChromaCalls {
  /**
   * Does something with Chroma that can be done twice.
   *
   * @throws AppError `not_ready`, or `shutting_down` after `close`; the signal's reason when that fires
   */
  ask<T>(work: (client: ChromaClient) => Promise<T>, limits: CallLimits): Promise<T>;
  /** Ends what is under way. */
  close(): void;
}

interface CallLimits {
  readonly signal: AbortSignal | undefined;
  readonly ms: number;
}

export function chromaCalls(url: URL): ChromaCalls {
  const access = chromaAccess(url);
  const closing = new AbortController();
  // The client takes its signal when it is made: each piece of work has its own client. The connections are Node's.
  const clientFor = (signal: AbortSignal) =>
    new ChromaClient({
      ...access,
      fetchOptions: { signal, redirect: 'error' }, // a redirect would carry the token to wherever it points
    });
  return {
    async ask(work, { signal, ms }) {
      signal?.throwIfAborted();
      const time = AbortSignal.timeout(ms);
      const until = AbortSignal.any([time, closing.signal, ...(signal === undefined ? [] : [signal])]);
      const once = () => untilAborted(work(clientFor(until)), until);
      try {
        return await once().catch((error) => {
          // A connection that a restarted server has left behind is found out by using it.
          if (error instanceof ChromaConnectionError && !until.aborted) return once();
          throw error;
        });
      } catch (error) {
        signal?.throwIfAborted();
        if (closing.signal.aborted) throw new AppError('shutting_down', {}, { cause: error });
        if (!time.aborted) throw chromaFailure(error);
        throw new AppError('not_ready', { detail: 'The vector store did not answer in time.' }, { cause: error });
      }
    },
    close: () => closing.abort(),
  };
}

/**
 * Turns the client's error into AppError `not_ready`, in words of our own: its own hold addresses of the operator's
 * network.
 */
function chromaFailure(error: unknown): AppError {
  return new AppError('not_ready', { detail: detailOf(error) }, { cause: error });
}

function detailOf(error: unknown): string {
  if (error instanceof ChromaConnectionError) return 'The vector store could not be reached.';
  if (error instanceof ChromaUnauthorizedError || error instanceof ChromaForbiddenError)
    return 'The vector store refuses the credentials that it was given.';
  if (error instanceof ChromaRateLimitError || error instanceof ChromaQuotaExceededError)
    return 'The vector store says that its limits are used up.';
  if (error instanceof ChromaNotFoundError) return 'There is no Chroma server at the address of the vector store.';
  return 'The vector store failed, or refused what it was given.';
}

/**
 * How the client reaches the server at a URL, which may have a path and, as its user, a token (`https://TOKEN@host`) or a
 * name and a password (`https://NAME:PASSWORD@host`).
 */
function chromaAccess(url: URL): ChromaClientArgs {
  const ssl = url.protocol === 'https:';
  const port = url.port === '' ? (ssl ? '443' : '80') : url.port;
  return {
    ssl,
    host: url.hostname,
    // The client has no option for a path and puts the port behind the host as it is.
    port: `${port}${url.pathname.replace(/\/+$/, '')}` as unknown as number,
    headers: credentials(decodeURIComponent(url.username), decodeURIComponent(url.password)),
    // Otherwise the client takes them from the process's environment.
    tenant: 'default_tenant',
    database: 'default_database',
  };
}

/** Chroma's own servers have known both headers for a token; a proxy in front of one knows the usual one or a password. */
function credentials(user: string, password: string): Record<string, string> {
  if (password !== '') return { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
  return user === '' ? {} : { Authorization: `Bearer ${user}`, 'X-Chroma-Token': user };
}
