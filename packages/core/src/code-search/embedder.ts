/** Turns text into vectors, which are close to each other for similar meanings. */
export interface Embedder {
  /** Identifies the model. Vectors of different models cannot be compared. */
  readonly id: string;
  /** Returns one vector per text, in order, all of the same length. @throws AppError `model_*` */
  embed(texts: readonly string[], purpose: 'document' | 'query', signal: AbortSignal): Promise<readonly Float32Array[]>;
}
