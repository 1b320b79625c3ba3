/** A vector with its id. */
export interface StoredVector {
  readonly id: string;
  readonly vector: Float32Array;
}

/**
 * Stores vectors in collections and finds the nearest. The first upsert creates a collection. Its vectors have one length,
 * its name consists of letters, digits, dots and dashes. An unknown collection counts as empty. All methods reject with
 * AppError `not_ready` when the store is unreachable or refuses, and with the signal's reason when that fires.
 */
export interface VectorStore {
  upsert(collection: string, vectors: readonly StoredVector[], signal: AbortSignal): Promise<void>;
  /** The ids of these that exist. */
  existing(collection: string, ids: readonly string[], signal: AbortSignal): Promise<readonly string[]>;
  /** The nearest vectors by cosine similarity, best first. */
  nearest(
    collection: string,
    question: { readonly vector: Float32Array; readonly limit: number },
    signal: AbortSignal,
  ): Promise<readonly { readonly id: string; readonly similarity: number }[]>;
  /** Deletes all vectors but these. */
  keepOnly(collection: string, ids: ReadonlySet<string>, signal: AbortSignal): Promise<void>;
  /** The collections whose names start with `prefix`. */
  collections(prefix: string, signal: AbortSignal): Promise<readonly string[]>;
  drop(collection: string): Promise<void>;
  /** Rejects when the store cannot be reached; for the readiness probe. */
  check(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Turns text into vectors, which are close to each other for similar meanings. */
export interface Embedder {
  /** Identifies the model. Vectors of different models cannot be compared. */
  readonly id: string;
  /** Returns one vector per text, in order, all of the same length. @throws AppError `model_*` */
  embed(texts: readonly string[], purpose: 'document' | 'query', signal: AbortSignal): Promise<readonly Float32Array[]>;
}
