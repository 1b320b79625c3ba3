import { untilAborted } from './until-aborted.ts';

/** The longest delay that a timer can hold, 24.8 days. Node fires a timer with a longer one at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Waits. @throws the signal's reason when it fires first */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.min(ms, LONGEST_TIMER_MS));
  try {
    await untilAborted(promise, signal);
  } finally {
    clearTimeout(timer);
  }
}
