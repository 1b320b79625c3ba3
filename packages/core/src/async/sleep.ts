import { systemTimers } from './timers.ts';

/** Waits by the timers of this process. @throws the signal's reason when it fires first */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await systemTimers.sleep(ms, signal);
}
