/** How long one answer of a model may take, in milliseconds. */
export interface TurnTimeouts {
  /** From the request to the end. */
  readonly totalMs: number;
  /** From the request, its retries included, to the first sign of life. */
  readonly firstChunkMs: number;
  /** Between two signs of life. */
  readonly chunkMs: number;
}

export const TURN_TIMEOUTS: TurnTimeouts = {
  totalMs: 600_000, // a long answer of a slow model on one's own machine takes minutes
  firstChunkMs: 300_000, // a local model is loaded first; Node's own fetch gives up then too
  chunkMs: 120_000, // vendors send signs of life every few seconds: one that says nothing for two minutes has gone
};

/**
 * Aborts its signal, with a `TimeoutError` that says why, when a model keeps one waiting for too long; and at its end in
 * any case, so that an answer that was given up is not streamed on to nobody.
 */
export interface TurnPatience extends Disposable {
  readonly signal: AbortSignal;
  /** Tells that the model gave a sign of life. */
  heard(): void;
}

export function turnPatience({ totalMs, firstChunkMs, chunkMs }: TurnTimeouts): TurnPatience {
  const over = new AbortController();
  const after = (ms: number, words: string) =>
    setTimeout(() => over.abort(new DOMException(`${words} ${ms / 1_000} s`, 'TimeoutError')), ms);
  const total = after(totalMs, 'it had not ended its answer after');
  let silence = after(firstChunkMs, 'it had not begun to answer after');
  return {
    signal: over.signal,
    heard() {
      clearTimeout(silence);
      silence = after(chunkMs, 'it fell silent in the middle of its answer for');
    },
    [Symbol.dispose]() {
      clearTimeout(total);
      clearTimeout(silence);
      over.abort();
    },
  };
}
