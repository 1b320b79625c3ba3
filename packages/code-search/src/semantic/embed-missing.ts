import { untilAborted } from '@sluice/core/async';
import type { EmbedCall, Embedder, StoredVector, VectorStore } from '@sluice/core/code-search';
import { AppError } from '@sluice/core/error';
import type { RepoId } from '@sluice/core/id';
import type { LexicalChunk, LexicalIndex } from '../lexical/lexical-index.ts';
import { isFaintPath } from '../lexical/path-weight.ts';
import { embeddedText, MAX_CHARACTERS, SHORT_CHARS } from './embedded-text.ts';
import { collectionName, collectionPrefix } from './vector-collections.ts';

const PAGE = 500; // as many as the index hands out at once
// A batch is kept as soon as it is there, so this is what a kill or a cancel can cost. The longest texts make some
// 130,000 tokens, below what providers take in one request.
const BATCH = 64;

export interface Embedding {
  readonly lexical: LexicalIndex;
  readonly embedder: Embedder;
  readonly vectors: VectorStore;
  /** Pieces of code in one repository that get a vector; what is beyond is found by words alone. */
  readonly maxChunks: number;
}

interface Piece {
  readonly id: string;
  readonly text: string;
}

/**
 * Embeds what the store does not have of what is searched now, and removes from it what is gone and what another model
 * made. Ended at any moment, it goes on from there the next time.
 *
 * @returns whether all pieces have a vector; false where they are more than `maxChunks`
 */
export async function embedMissing(embedding: Embedding, repoId: RepoId, call: EmbedCall): Promise<boolean> {
  const { signal } = call;
  const { embedder, vectors } = embedding;
  const collection = collectionName(repoId, embedder.id);
  for (const name of await vectors.collections(collectionPrefix(repoId), signal)) {
    if (name !== collection) await vectors.drop(name);
  }
  const embed = embedsTexts(embedder);
  const chosen = new Set<string>();
  let isWhole = true;
  for await (const page of searchedPieces(embedding, repoId, signal)) {
    const taken = page.slice(0, embedding.maxChunks - chosen.size);
    for (const { id } of taken) chosen.add(id);
    const existing = new Set(
      await vectors.existing(
        collection,
        taken.map(({ id }) => id),
        signal,
      ),
    );
    const missing = taken.filter(({ id }) => !existing.has(id));
    for (let at = 0; at < missing.length; at += BATCH) {
      const batch = missing.slice(at, at + BATCH);
      const made = await embed(
        batch.map(({ text }) => text),
        call,
      );
      await vectors.upsert(collection, joined(batch, made), signal);
    }
    isWhole = taken.length === page.length;
    if (!isWhole) break;
  }
  await vectors.keepOnly(collection, chosen, signal);
  return isWhole;
}

/** Pages of what can be embedded, ordered by content: of too much, the same part is taken each time. */
async function* searchedPieces(
  { lexical }: Embedding,
  repoId: RepoId,
  signal: AbortSignal,
): AsyncGenerator<readonly Piece[]> {
  for (let after: string | null = null; ; ) {
    const page: readonly LexicalChunk[] = await untilAborted(lexical.chunks(repoId, after, PAGE), signal);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page.flatMap(({ id, path, text: whole }) => {
      // What is vendored or generated is not worth its price, and would stand nearest to what it was made from.
      const text = isFaintPath(path) ? null : embeddedText(whole);
      return text === null ? [] : [{ id, text }];
    });
    after = last.id;
  }
}

function joined(pieces: readonly Piece[], vectors: readonly Float32Array[]): StoredVector[] {
  return pieces.flatMap(({ id }, index) => {
    const vector = vectors[index];
    return vector === undefined ? [] : [{ id, vector }];
  });
}

type EmbedTexts = (texts: readonly string[], call: EmbedCall) => Promise<readonly Float32Array[]>;

/** Embeds code; where the model refuses it, as for its length, by its beginning alone from then on. */
function embedsTexts(embedder: Embedder): EmbedTexts {
  let longest = MAX_CHARACTERS;
  const embed: EmbedTexts = async (texts, call) => {
    const cut = texts.map((text) => embeddedText(text, longest) ?? text.slice(0, longest));
    const vectors = await untilAborted(embedder.embed(cut, 'document', call), call.signal);
    if (vectors.length === texts.length) return vectors;
    throw new AppError('model_unavailable', { detail: 'The embedding model answered for another number of texts.' });
  };
  return async (texts, call) => {
    try {
      return await embed(texts, call);
    } catch (error) {
      if (longest === SHORT_CHARS || !isRefusal(error)) throw error;
      longest = SHORT_CHARS;
      return embed(texts, call);
    }
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'model_request_refused' || error.code === 'model_context_full');
}
