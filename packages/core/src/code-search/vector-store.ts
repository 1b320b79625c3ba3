/** A vector with its name. */
export interface StoredVector {
  readonly id: string;
  readonly vector: Float32Array;
}

/**
 * Keeps vectors by collection and finds the nearest. A collection holds vectors of one length; it is made by its first
 * upsert. Its name is of letters, digits, dots and dashes. An unknown collection is an empty one. All reject with AppError
 * `not_ready` when the store cannot be reached or refuses, and with the signal's reason when that fires.
 */
export interface VectorStore {
  upsert(collection: string, vectors: readonly StoredVector[], signal: AbortSignal): Promise<void>;
  /** Of these ids, those that are there. */
  existing(collection: string, ids: readonly string[], signal: AbortSignal): Promise<readonly string[]>;
  /** The nearest by cosine, best first; `similarity` is 1 for the same direction. */
  nearest(
    collection: string,
    question: { readonly vector: Float32Array; readonly limit: number },
    signal: AbortSignal,
  ): Promise<readonly { readonly id: string; readonly similarity: number }[]>;
  /** Removes all but these. */
  keepOnly(collection: string, ids: ReadonlySet<string>, signal: AbortSignal): Promise<void>;
  /** The collections whose names start so. */
  collections(prefix: string, signal: AbortSignal): Promise<readonly string[]>;
  drop(collection: string): Promise<void>;
  /** Rejects when the store cannot be reached; for the readiness probe. */
  check(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
