import { untilAborted } from './until-aborted.ts';

/** Work under the same key runs one after the other; work under different keys runs at the same time. */
export interface KeyedMutex {
  /** @throws the signal's reason when it fires before the work has started */
  run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export function createKeyedMutex(): KeyedMutex {
  const tails = new Map<string, Promise<void>>();
  return {
    async run(key, work, signal) {
      const before = tails.get(key) ?? Promise.resolve();
      const done = Promise.withResolvers<void>();
      // A caller that gives up waiting must not let the next one in before those ahead of it have finished.
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
