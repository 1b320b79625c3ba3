import type { Clock } from '@sluice/core/async';
import { createKeyedMutex } from '@sluice/core/async';
import type { CodeIndex, EmbedCall, Embedder, VectorStore } from '@sluice/core/code-search';
import type { AppError } from '@sluice/core/error';
import type { RepoId } from '@sluice/core/id';
import type { LexicalIndex } from '../lexical/lexical-index.ts';
import { embedMissing } from './embed-missing.ts';
import { expectedFailure } from './expected-failure.ts';
import { type NearestPieces, nearestPieces } from './nearest-pieces.ts';
import { searchBoth } from './search-both.ts';
import { collectionPrefix } from './vector-collections.ts';

export interface SemanticIndexOptions {
  readonly embedder: Embedder;
  readonly vectors: VectorStore;
  readonly clock: Clock;
  /** Called when code is found by its words alone, with the reason. */
  readonly onWordsAlone: (error: AppError) => void;
  /** Pieces of code in one repository that are embedded; the rest is found by its words. */
  readonly maxChunks?: number;
  /** How long one update may embed, in milliseconds. The next one goes on. */
  readonly updateMs?: number;
  /** How long a search waits for its question's meaning, in milliseconds. */
  readonly searchMs?: number;
}

// Some 12 million tokens: cents with the small models, a dollar or two with the large ones, for a whole repository.
const MAX_CHUNKS = 20_000;
const UPDATE_MS = 10 * 60_000; // a third of what a stage may take unless configured: the issue goes on without
const SEARCH_MS = 8_000; // people and agents wait for it, and the words are there at once

/**
 * A code index that also finds by meaning. Each piece of code that the words' index holds is embedded once, while its
 * content stays; a search fuses what the words and the vectors find by reciprocal rank, so a hit's score is its points
 * there (at most 2/61). Without its embedding model or its store of vectors it goes on with the words alone: an update says
 * so in its notes, a search to `onWordsAlone`, and the next update makes good what is missing. It closes the other two.
 */
export function createSemanticIndex(lexical: LexicalIndex, options: SemanticIndexOptions): CodeIndex {
  const { embedder, vectors } = options;
  const maxChunks = options.maxChunks ?? MAX_CHUNKS;
  const updates = createKeyedMutex();
  const nearest: NearestPieces = nearestPieces({ ...options, searchMs: options.searchMs ?? SEARCH_MS });

  const embedded = async (repoId: RepoId, { signal, beforeCall }: EmbedCall): Promise<string[]> => {
    const until = AbortSignal.timeout(options.updateMs ?? UPDATE_MS);
    try {
      const isWhole = await embedMissing({ lexical, embedder, vectors, maxChunks }, repoId, {
        signal: AbortSignal.any([signal, until]),
        beforeCall,
      });
      nearest.recovered();
      if (isWhole) return [];
      return [`Search by meaning covers the first ${maxChunks} pieces of code; the rest is found by its words.`];
    } catch (thrown) {
      signal.throwIfAborted();
      if (until.aborted) {
        return ['The code could not all be prepared for search by meaning in time. The next update goes on with it.'];
      }
      const error = expectedFailure(thrown);
      options.onWordsAlone(error);
      return [
        `Code is not fully searched by meaning: ${error.message} It is found by its words; the next update tries again.`,
      ];
    }
  };

  return {
    update: (workspace, signal, beforeCall) =>
      updates.run(
        workspace.repoId,
        async () => {
          const { index, notes } = await lexical.update(workspace, signal);
          return { index, notes: [...notes, ...(await embedded(workspace.repoId, { signal, beforeCall }))] };
        },
        signal,
      ),
    search: (repoId, question, signal) => searchBoth({ lexical, nearest }, { repoId, ...question }, signal),
    outline: (file) => lexical.outline(file),
    syntaxFaults: (file) => lexical.syntaxFaults(file),
    drop: (repoId) =>
      updates.run(repoId, async () => {
        await lexical.drop(repoId);
        const names = await vectors.collections(collectionPrefix(repoId), new AbortController().signal);
        for (const name of names) await vectors.drop(name);
      }),
    async close() {
      await Promise.all([lexical.close(), vectors.close()]);
    },
  };
}
