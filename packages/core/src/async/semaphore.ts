import { untilAborted } from './until-aborted.ts';

/** Lets a limited number of tasks run at the same time; the others wait in line. */
export interface Semaphore {
  /** @throws the signal's reason when it fires while the work waits */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export function createSemaphore(count: number): Semaphore {
  const line: PromiseWithResolvers<void>[] = [];
  let free = count;

  function release(): void {
    const next = line.shift();
    if (next === undefined) free += 1;
    else next.resolve();
  }

  async function acquire(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (free > 0) {
      free -= 1;
      return;
    }
    const turn = Promise.withResolvers<void>();
    line.push(turn);
    try {
      await untilAborted(turn.promise, signal);
    } catch (error) {
      const place = line.indexOf(turn);
      // The permit may have been handed over in the same moment.
      if (place === -1) release();
      else line.splice(place, 1);
      throw error;
    }
  }

  return {
    async run(work, signal) {
      await acquire(signal);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
