import { untilAborted } from './until-aborted.ts';

/** The longest delay that a timer can hold, 24.8 days. Node fires a timer with a longer one at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * The passing of time, injected so that a test can let it pass for one process and stand still for another. All times are
 * milliseconds. `Clock` tells what time it is; this tells how much has passed.
 */
export interface Timers {
  /** The time since a fixed moment. Unlike the clock on the wall it never goes back. */
  now(): number;
  /** Calls `act` once, no earlier than after `ms` (at most `MAX_TIMER_MS`). Returns a function that cancels it. */
  after(ms: number, act: () => void): () => void;
  /** Calls `act` every `ms`, the first time after `ms`. Returns a function that stops it. */
  every(ms: number, act: () => void): () => void;
  /** Waits. @throws the signal's reason when it fires first */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** A signal that fires after `ms` with a `TimeoutError`. */
  timeout(ms: number): AbortSignal;
}

/** Makes the timers of a source of time that can do the two things that the others follow from. */
export function timersOver({ now, after }: Pick<Timers, 'now' | 'after'>): Timers {
  return {
    now,
    after,
    every(ms, act) {
      let cancel = after(ms, tick);
      function tick(): void {
        cancel = after(ms, tick);
        act();
      }
      return () => cancel();
    },
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      const { promise, resolve } = Promise.withResolvers<void>();
      const cancel = after(Math.min(ms, MAX_TIMER_MS), resolve);
      try {
        await untilAborted(promise, signal);
      } finally {
        cancel();
      }
    },
    timeout(ms) {
      const controller = new AbortController();
      after(ms, () => controller.abort(new DOMException('The operation timed out.', 'TimeoutError')));
      return controller.signal;
    },
  };
}

/** The timers of this process. */
export const systemTimers: Timers = {
  ...timersOver({
    now: () => performance.now(),
    after(ms, act) {
      const timer = setTimeout(act, ms);
      return () => clearTimeout(timer);
    },
  }),
  // Unlike a timer of ours it does not keep the process alive, and is collected with its signal.
  timeout: (ms) => AbortSignal.timeout(ms),
};
