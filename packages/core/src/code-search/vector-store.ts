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

/** How an embedding model is called. */
export interface EmbedCall {
  readonly signal: AbortSignal;
  /** Runs right before each request, retries included. If it throws, the request is not sent. */
  readonly beforeCall?: (() => Promise<void>) | undefined;
}

/** Turns text into vectors, which are close to each other for similar meanings. */
export interface Embedder {
  /** Identifies the model. Vectors of different models cannot be compared. */
  readonly id: string;
  /**
   * Returns one vector per text, in order, all of the same length.
   *
   * @throws AppError `model_*`, and what `beforeCall` threw
   */
  embed(texts: readonly string[], purpose: 'document' | 'query', call: EmbedCall): Promise<readonly Float32Array[]>;
}
