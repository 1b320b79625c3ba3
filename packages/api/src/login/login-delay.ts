import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type Limiter, loginDelayMs } from '@sluice/core';

/** Slows logins at an e-mail at which others have failed; one that nobody has is slowed alike. */
export interface LoginDelay {
  /** Waits before the password is looked at. @throws the signal's reason when the caller leaves */
  wait(email: string, signal: AbortSignal): Promise<void>;
  /** Counts a failed login. */
  noteFailure(email: string): Promise<void>;
}

const MOST_WAITING = 256; // each holds a request open; those beyond go on at once, or logins would be locked

type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;
const usualSleep: Sleep = (ms, signal) => setTimeout(ms, undefined, { signal });

/** @param sleep another one where a test does not want to wait */
export function createLoginDelay(
  limiter: Pick<Limiter, 'failedLogins' | 'noteFailedLogin'>,
  sleep: Sleep = usualSleep,
): LoginDelay {
  let waiting = 0;
  return {
    wait: async (email, signal) => {
      const ms = loginDelayMs(await limiter.failedLogins(keyOf(email)));
      if (ms === 0 || waiting >= MOST_WAITING) return;
      waiting += 1;
      try {
        await sleep(ms, signal);
      } finally {
        waiting -= 1;
      }
    },
    noteFailure: (email) => limiter.noteFailedLogin(keyOf(email)),
  };
}

/** No e-mail stands in Redis, and a key is short. */
function keyOf(email: string): string {
  return createHash('sha256').update(email.normalize('NFC')).digest('base64url');
}
