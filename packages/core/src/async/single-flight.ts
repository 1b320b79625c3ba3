/** Shares work between all who ask for it while it is in flight. */
export interface SingleFlight<Key, T> {
  /** Starts the work, or joins the run of the same key. To leave early, wrap the call in `untilAborted`. */
  run(key: Key, work: () => Promise<T>): Promise<T>;
}

export function createSingleFlight<Key, T>(): SingleFlight<Key, T> {
  const inFlight = new Map<Key, Promise<T>>();
  return {
    run(key, work) {
      const running = inFlight.get(key);
      if (running !== undefined) return running;
      const started = work().finally(() => inFlight.delete(key));
      started.catch(() => {}); // every caller may have left
      inFlight.set(key, started);
      return started;
    },
  };
}
