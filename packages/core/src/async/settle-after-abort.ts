/**
 * Waits for work to end. Once `signal` fires, waits only `graceMs` longer: work that ignores its signal must not hold up
 * a shutdown.
 *
 * @throws what the work threw, or the signal's reason when the grace period is over
 */
export async function settleAfterAbort<T>(work: Promise<T>, signal: AbortSignal, graceMs: number): Promise<T> {
  const overdue = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => {
    timer = setTimeout(() => overdue.reject(signal.reason), graceMs);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, overdue.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
