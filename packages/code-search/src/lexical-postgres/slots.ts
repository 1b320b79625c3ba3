import { untilAborted } from '@sluice/core';

/** Lets some work run at once; the rest waits in line. */
export interface Slots {
  /** @throws the signal's reason when it fires before a place is free */
  take<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

export function createSlots(count: number): Slots {
  const line: { resolve(): void }[] = [];
  let free = count;
  const leave = () => {
    const next = line.shift();
    if (next === undefined) free += 1;
    else next.resolve();
  };
  return {
    async take(work, signal) {
      signal.throwIfAborted();
      if (free > 0) free -= 1;
      else {
        const turn = Promise.withResolvers<void>();
        line.push(turn);
        try {
          await untilAborted(turn.promise, signal);
        } catch (error) {
          const at = line.indexOf(turn);
          if (at === -1)
            leave(); // its turn came at the same moment
          else line.splice(at, 1);
          throw error;
        }
      }
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
