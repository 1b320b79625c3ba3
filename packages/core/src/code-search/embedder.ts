/** Turns text into vectors whose nearness is nearness of meaning. */
export interface Embedder {
  /** Names the model: vectors of another one cannot be compared with its. */
  readonly id: string;
  /** One vector a text, in order, all of one length. @throws AppError `model_*` */
  embed(texts: readonly string[], purpose: 'document' | 'query', signal: AbortSignal): Promise<readonly Float32Array[]>;
}
