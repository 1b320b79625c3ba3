/**
 * Runs something that must have ended within `ms`, also when it ignores its signal.
 *
 * @throws the reason of whichever signal fired first, or what `run` threw
 */
export async function withinDeadline<T>(
  deadline: { ms: number; signal?: AbortSignal },
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(deadline.ms);
  const signal = deadline.signal === undefined ? timeout : AbortSignal.any([timeout, deadline.signal]);
  signal.throwIfAborted();
  const fired = Promise.withResolvers<never>();
  const onAbort = () => fired.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([run(signal), fired.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
