import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type Limiter, loginDelayMs } from '@sluice/core/request';

/** Slows down logins with an e-mail after failures, whether or not an account has that e-mail. */
export interface LoginDelay {
  /** Waits before the password is verified. @throws the signal's reason when the caller leaves */
  wait(email: string, signal: AbortSignal): Promise<void>;
  /** Counts a failed login. */
  noteFailure(email: string): Promise<void>;
}

const MAX_WAITING = 256; // each holds a request open; any more pass at once, so that logins are never locked

type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;
const usualSleep: Sleep = (ms, signal) => setTimeout(ms, undefined, { signal });

/** Creates the delay after failed logins of an e-mail address. @param sleep replaced in tests */
export function createLoginDelay(
  limiter: Pick<Limiter, 'failedLogins' | 'noteFailedLogin'>,
  sleep: Sleep = usualSleep,
): LoginDelay {
  let waiting = 0;
  return {
    wait: async (email, signal) => {
      const ms = loginDelayMs(await limiter.failedLogins(keyOf(email)));
      if (ms === 0 || waiting >= MAX_WAITING) return;
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

/** Hashed, so that Redis holds no e-mails and keys stay short. */
function keyOf(email: string): string {
  return createHash('sha256').update(email.normalize('NFC')).digest('base64url');
}
