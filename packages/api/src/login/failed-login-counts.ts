import { type Clock, dayBefore, type UserStore } from '@sluice/core';
import type { ApiLog } from '../service/api-deps.ts';

/** Counts failed logins beside the requests, and writes them down now and then. */
export interface FailedLoginCounts {
  /** Takes no time that depends on the e-mail, and never fails. */
  note(email: string): void;
  /** Writes what was counted since; what cannot be written is given up. */
  flush(): Promise<void>;
}

interface CountsContext {
  readonly users: Pick<UserStore, 'addFailedLogins'>;
  readonly clock: Clock;
  readonly log: Pick<ApiLog, 'warn'>;
}

const FLUSH_MS = 10_000; // one write for many, and a crash loses the counts of ten seconds
const MOST = 1_000; // e-mails between two writes; strangers choose them, and those beyond are not counted

/**
 * Whose an e-mail is, is looked up when the counts are written: a login at one that nobody has costs the same and leaves
 * nothing.
 */
export function createFailedLoginCounts({ users, clock, log }: CountsContext): FailedLoginCounts {
  let counts = new Map<string, { readonly email: string; readonly day: string; count: number }>();
  let timer: NodeJS.Timeout | null = null;

  const flush = async () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (counts.size === 0) return;
    const counted = [...counts.values()];
    counts = new Map();
    try {
      await users.addFailedLogins(counted);
    } catch (error) {
      log.warn({ err: error, accounts: counted.length }, 'failed logins could not be counted');
    }
  };
  return {
    note: (email) => {
      const day = dayBefore(clock.now(), 0);
      const key = `${day} ${email}`;
      const known = counts.get(key);
      if (known !== undefined) known.count += 1;
      else if (counts.size < MOST) counts.set(key, { email, day, count: 1 });
      timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
    },
    flush,
  };
}
