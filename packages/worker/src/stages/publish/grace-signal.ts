import type { Timers } from '@sluice/core/async';
import { ExecutionEnded } from '../../execution/issue-execution.ts';

/** How long a request to the code host may take after its issue was cancelled. */
const ANSWER_MS = 5_000;

/**
 * A signal for a call with a lasting effect at the code host. A cancel gives it some seconds to answer, because otherwise
 * no record of its effect would exist. A shutdown and a timeout abort it at once: the next worker checks first.
 */
export function graceSignal(signal: AbortSignal, timers: Timers): { readonly signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  let cancel: (() => void) | undefined;
  const end = () => {
    if (isEnded(signal.reason)) cancel = timers.after(ANSWER_MS, () => controller.abort(signal.reason));
    else controller.abort(signal.reason);
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return {
    signal: controller.signal,
    release() {
      cancel?.();
      signal.removeEventListener('abort', end);
    },
  };
}

/** A renewal may notice a cancel first; then it looks like a lost lease. */
function isEnded(reason: unknown): boolean {
  return reason instanceof ExecutionEnded && reason.reason !== 'shutting_down';
}
