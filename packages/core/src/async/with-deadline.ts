import type { Timers } from './timers.ts';
import { untilAborted } from './until-aborted.ts';

export interface Deadline {
  readonly ms: number;
  /** Ends the work too. Its reason is thrown as it is. */
  readonly signal?: AbortSignal | undefined;
  /** Makes the error to throw after `ms`. Left out: the `TimeoutError` itself. */
  readonly onTimeout?: (cause: unknown) => Error;
}

/**
 * Runs work that must end within `ms`. The work gets a signal, and is left behind if it ignores it.
 *
 * @throws what the work threw, what `onTimeout` made of the timeout, or the reason of the caller's signal
 */
export async function withDeadline<T>(
  { ms, signal, onTimeout }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(ms);
  const either = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
  either.throwIfAborted();
  try {
    return await untilAborted(work(either), either);
  } catch (error) {
    if (onTimeout === undefined || either.reason !== timeout.reason || !timeout.aborted) throw error;
    throw onTimeout(error);
  }
}

/**
 * Waits for work to end. Once `signal` fires, waits only `graceMs` longer: work that ignores its signal must not hold up
 * a shutdown.
 *
 * @throws what the work threw, or the signal's reason when the grace period is over
 */
export async function settleAfterAbort<T>(
  work: Promise<T>,
  signal: AbortSignal,
  { graceMs, timers }: { readonly graceMs: number; readonly timers: Timers },
): Promise<T> {
  const overdue = Promise.withResolvers<never>();
  let cancel: (() => void) | undefined;
  const onAbort = () => {
    cancel = timers.after(graceMs, () => overdue.reject(signal.reason));
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, overdue.promise]);
  } finally {
    cancel?.();
    signal.removeEventListener('abort', onAbort);
  }
}
