import { AppError, untilAborted } from '@sluice/core';
import { ChromaClient, ChromaConnectionError } from 'chromadb';
import { chromaAccess } from './chroma-access.ts';
import { chromaFailure } from './chroma-failure.ts';

export interface ChromaCalls {
  /**
   * Does something with Chroma that can be done twice.
   *
   * @throws AppError `not_ready`, or `shutting_down` after `close`; the signal's reason when that fires
   */
  ask<T>(work: (client: ChromaClient) => Promise<T>, patience: Patience): Promise<T>;
  /** Ends what is under way. */
  close(): void;
}

interface Patience {
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
