import { setTimeout as sleep } from 'node:timers/promises';
import { isSluiceError } from '@sluice/client';

const AGAIN_MS = 1_000;
const AWAY: ReadonlySet<string> = new Set(['unreachable', 'not_ready', 'shutting_down']);

/** Reads while something is watched: as its stream does, it waits for a server that is away. Only for what changes nothing. */
export async function patientRead<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!isSluiceError(error) || !AWAY.has(error.code)) throw error;
    }
    await sleep(AGAIN_MS, undefined, { signal });
  }
}
