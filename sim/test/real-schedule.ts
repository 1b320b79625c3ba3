import type { Owner, Schedule } from '../src/schedule.ts';

const MAX_PAUSE_MS = 4; // some calls are slower than others
const RETRY_MS = 5; // how soon after a thaw a process goes on

/**
 * Real time and real concurrency behind the interface of the simulator: whatever is parked goes on by itself, any number of
 * entries at once, in an order that nobody chooses. What a process does waits while it is frozen, and never happens once it
 * is dead.
 */
export function createRealSchedule(): Schedule {
  const began = performance.now();
  let steps = 0;

  /** Calls `act` after `ms`, as soon as its owner may act. Returns a function that takes it back. */
  function after(owner: Owner | null, ms: number, act: () => void): () => void {
    let timer = setTimeout(attempt, ms);
    function attempt(): void {
      if (owner?.isDead() === true) return;
      if (owner?.isRunning() !== false) act();
      else timer = setTimeout(attempt, RETRY_MS);
    }
    return () => clearTimeout(timer);
  }

  return {
    now: () => performance.now() - began,
    get steps() {
      return steps;
    },
    // Without `isReady`, which only late requests and the queue in memory have.
    park: ({ owner, go }) =>
      after(owner, Math.random() < 0.8 ? 0 : MAX_PAUSE_MS * Math.random(), () => {
        steps += 1;
        void Promise.resolve(go()).catch(() => undefined); // the caller of the port has the error
      }),
    after,
    forget: () => undefined,
    step: async () => false,
    rest: async () => undefined,
  };
}
