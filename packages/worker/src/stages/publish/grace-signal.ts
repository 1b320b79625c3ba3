import { ExecutionEnded } from '../../execution/issue-execution.ts';

/** How long something that was asked of the host may take once its issue is cancelled. */
const ANSWER_MS = 5_000;

/**
 * A signal for a call whose work stays at the host: a cancel does not cut it off, but leaves it some seconds to answer,
 * because what was made there is otherwise known to nobody. A shutdown and a time-out cut it off at once: whoever goes on
 * looks first.
 */
export function graceSignal(signal: AbortSignal): { readonly signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    if (isEnded(signal.reason)) timer = setTimeout(() => controller.abort(signal.reason), ANSWER_MS);
    else controller.abort(signal.reason);
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    },
  };
}

/** A renewal may be the first to hear of a cancel: then it looks like a lost lease. */
function isEnded(reason: unknown): boolean {
  return reason instanceof ExecutionEnded && reason.reason !== 'shutting_down';
}
