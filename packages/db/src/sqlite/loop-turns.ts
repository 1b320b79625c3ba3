import { setImmediate as atNextTurn } from 'node:timers';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Far below what a person notices, and longer than the calls of a usual request take together. */
const MAX_MS = 5;

/**
 * Tells before each call whether the event loop should turn first: when calls have followed each other for 5 ms and it has
 * not turned since. SQLite answers at once, so that an await of its answer is a microtask: without this a loop over pages, however
 * long, lets no timer, no other request and no abort in.
 */
export function createLoopTurns(now: () => number = () => performance.now()): () => Promise<void> | null {
  let since: number | null = null;
  return () => {
    if (since !== null) return now() - since < MAX_MS ? null : nextTurn();
    since = now();
    atNextTurn(() => {
      since = null;
    });
    return null;
  };
}
