import type { AppError } from '@sluice/core';
import { withinDeadline } from './within-deadline.ts';

/**
 * Runs something that waits for somebody outside. Also ends with `signal`.
 *
 * @throws what `late` makes of it when there was no answer within `ms`; the signal's reason; or what `run` threw
 */
export async function answeredWithin<T>(
  deadline: { ms: number; signal: AbortSignal; late: (cause: DOMException) => AppError },
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await withinDeadline(deadline, run);
  } catch (error) {
    if (deadline.signal.aborted || !(error instanceof DOMException) || error.name !== 'TimeoutError') throw error;
    throw deadline.late(error);
  }
}
