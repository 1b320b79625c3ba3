import { type Clock, untilAborted } from '@sluice/core/async';
import type { CodeQuestion, Embedder, VectorStore } from '@sluice/core/code-search';
import { AppError } from '@sluice/core/error';
import type { RepoId } from '@sluice/core/id';
import { embeddedText } from './embedded-text.ts';
import { expectedFailure } from './expected-failure.ts';
import { collectionName } from './vector-collections.ts';

const PASSED_OVER_MS = 60_000; // otherwise each search of a turn waits for a model that does not answer

export interface NearestOptions {
  readonly embedder: Embedder;
  readonly vectors: VectorStore;
  readonly clock: Clock;
  readonly onWordsAlone: (error: AppError) => void;
  readonly searchMs: number;
}

export interface NearestPieces {
  /** The ids of the pieces whose meaning is nearest, best first; none while the model or the store is away. */
  find(repoId: RepoId, question: CodeQuestion, signal: AbortSignal): Promise<readonly string[]>;
  /** Says that the model answers again. */
  recovered(): void;
}

export function nearestPieces(options: NearestOptions): NearestPieces {
  const { embedder, vectors, clock } = options;
  let awayUntil = 0;
  return {
    async find(repoId, { query, limit, beforeCall }, signal) {
      const text = embeddedText(query);
      if (text === null || clock.now().getTime() < awayUntil) return [];
      const timeout = AbortSignal.timeout(options.searchMs);
      const until = AbortSignal.any([signal, timeout]);
      try {
        const [vector] = await untilAborted(embedder.embed([text], 'query', { signal: until, beforeCall }), until);
        if (vector === undefined) return [];
        const found = await vectors.nearest(collectionName(repoId, embedder.id), { vector, limit }, until);
        return found.map(({ id }) => id);
      } catch (thrown) {
        signal.throwIfAborted();
        const error = timeout.aborted ? new AppError('model_timeout', {}, { cause: thrown }) : expectedFailure(thrown);
        awayUntil = clock.now().getTime() + PASSED_OVER_MS;
        options.onWordsAlone(error);
        return [];
      }
    },
    recovered() {
      awayUntil = 0;
    },
  };
}
