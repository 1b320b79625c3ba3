/** Work of the same key runs one after the other; work of different keys runs at the same time. */
export interface Turns {
  /** @throws the signal's reason when it fires before the work's turn has come */
  take<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export function createTurns(): Turns {
  const tails = new Map<string, Promise<void>>();
  return {
    async take(key, work, signal) {
      const before = tails.get(key) ?? Promise.resolve();
      const done = Promise.withResolvers<void>();
      // Whoever gives up waiting must not let the next one in before those ahead of it have finished.
      const tail = before.then(() => done.promise);
      tails.set(key, tail);
      try {
        await untilAborted(before, signal);
        return await work();
      } finally {
        done.resolve();
        void tail.then(() => {
          if (tails.get(key) === tail) tails.delete(key);
        });
      }
    },
  };
}

/** Waits for a promise, or for the signal, whichever comes first. @throws the signal's reason */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
