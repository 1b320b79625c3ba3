/** How long one answer of a model may take, in milliseconds. */
export interface AnswerTimeouts {
  /** From the request to the end of the answer. */
  readonly totalMs: number;
  /** From the request, including its retries, to the first chunk. */
  readonly firstChunkMs: number;
  /** Between two chunks. */
  readonly chunkMs: number;
}

export const ANSWER_TIMEOUTS: AnswerTimeouts = {
  totalMs: 600_000, // a long answer of a slow local model takes minutes
  firstChunkMs: 300_000, // a local model is loaded first; Node's own fetch times out at the same point
  chunkMs: 120_000, // vendors send keep-alives every few seconds: two silent minutes mean a lost connection
};

/**
 * Aborts its signal with a `TimeoutError` when the model takes too long. Disposing aborts it in any case, so that an
 * abandoned answer stops streaming.
 */
export interface AnswerTimer extends Disposable {
  readonly signal: AbortSignal;
  /** Restarts the timeout between chunks. */
  chunkArrived(): void;
}

export function startAnswerTimer({ totalMs, firstChunkMs, chunkMs }: AnswerTimeouts): AnswerTimer {
  const over = new AbortController();
  const after = (ms: number, message: string) =>
    setTimeout(() => over.abort(new DOMException(`${message} ${ms / 1_000} s`, 'TimeoutError')), ms);
  const total = after(totalMs, 'it had not finished its answer after');
  let silence = after(firstChunkMs, 'it had not begun to answer after');
  return {
    signal: over.signal,
    chunkArrived() {
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
