import type { Embedder } from '@sluice/core/code-search';

/** No semantic model: words hashed into a vector, and words that a test has called the same are the same. */
export interface WordHashEmbedder extends Embedder {
  /** The texts of its requests, in order. */
  readonly requests: { readonly texts: readonly string[]; readonly purpose: 'document' | 'query' }[];
  /** Comes before each answer; what it throws, the embedder throws. */
  before: (texts: readonly string[], signal: AbortSignal) => Promise<void> | void;
}

const DIMENSIONS = 256;

/** Creates an embedder whose vectors are hashes of words. @param same words and the word that they mean the same as */
export function wordHashEmbedder(id = 'test/word-hash', same: Readonly<Record<string, string>> = {}): WordHashEmbedder {
  const embedder: WordHashEmbedder = {
    id,
    requests: [],
    before: () => {},
    async embed(texts, purpose, { signal, beforeCall }) {
      signal.throwIfAborted();
      await beforeCall?.();
      embedder.requests.push({ texts, purpose });
      await embedder.before(texts, signal);
      return texts.map((text) => {
        const vector = new Float32Array(DIMENSIONS);
        for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
          const place = hashed(same[word] ?? word);
          vector[place] = (vector[place] ?? 0) + 1;
        }
        return vector;
      });
    },
  };
  return embedder;
}

/** The texts of all documents that it was asked for. */
export function documentsOf({ requests }: WordHashEmbedder): string[] {
  return requests.flatMap(({ texts, purpose }) => (purpose === 'document' ? texts : []));
}

function hashed(word: string): number {
  let hash = 7;
  for (const letter of word) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return hash % DIMENSIONS;
}
